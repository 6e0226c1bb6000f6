"""Give every notebook that pytest collects one more test, `stored form`, beside nbval's one per cell."""

import pytest

from gate.stored_form import faults


def pytest_collect_file(file_path, parent):
    if file_path.suffix == ".ipynb":
        return StoredNotebook.from_parent(parent, path=file_path)


class StoredNotebook(pytest.File):
    def collect(self):
        yield StoredForm.from_parent(self, name="stored form")


class StoredForm(pytest.Item):
    def runtest(self):
        found = faults(self.path)
        if found:
            pytest.fail("\n".join([*found, "`make notebooks` runs it again and stores it well."]), pytrace=False)

    def reportinfo(self):
        return self.path, None, self.nodeid
