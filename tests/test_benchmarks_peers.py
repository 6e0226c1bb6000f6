"""The peers in the benchmarks do the work that the forward does; else their times would mean nothing."""

from importlib.util import find_spec

import jax
import numpy as np
import pytest

import tpmlp
from benchmarks.forward import random_inputs
from benchmarks.growth import BASE, forward_of, seconds_to_compile
from benchmarks.peers import jax_peers, whole_network

SIZES = {"B": 4, "D": 16, "H": 32, "O": 8}


@pytest.mark.parametrize("name", jax_peers(tpmlp.shard_inputs(*random_inputs(**SIZES))))
def test_a_jax_peer_does_the_same_work_on_the_same_buffers(name):
    arrays = random_inputs(**SIZES)
    placed = tpmlp.shard_inputs(*arrays)
    function, arguments = jax_peers(placed)[name]
    result, expected = function(*arguments), tpmlp.reference(*arrays)
    np.testing.assert_allclose(result["out"], expected["out"], rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(result["hidden"], expected["hidden"], rtol=1e-4, atol=1e-4)
    assert result["out"].sharding.is_fully_replicated
    assert {shard.data.shape for shard in result["hidden"].addressable_shards} == {(4, 4)}
    assert {_places(array) for array in placed} == {_places(array) for array in jax.tree.leaves(arguments)}


def _places(array: jax.Array) -> tuple[int, ...]:
    """Where its blocks lie in memory."""
    return tuple(shard.data.unsafe_buffer_pointer() for shard in array.addressable_shards)


def test_the_jax_peers_compile_to_the_same_collectives():
    arrays = random_inputs(**SIZES)
    placed = tpmlp.shard_inputs(*arrays)
    ours = tpmlp.compiled_facts(tpmlp.forward, *placed)
    for name, (function, arguments) in jax_peers(placed).items():
        assert tpmlp.compiled_facts(function, *arguments).collectives == ours.collectives, name


def test_the_dense_program_is_dense():
    arrays = [jax.device_put(array, jax.devices()[0]) for array in random_inputs(**SIZES)]
    facts = tpmlp.compiled_facts(whole_network, *arrays)
    assert (facts.devices, facts.collectives) == (1, {})


@pytest.mark.skipif(not find_spec("torch"), reason="PyTorch is not installed; pip install -e '.[peers]'")
def test_pytorch_does_the_same_work():
    from benchmarks.torch_peer import Torch

    arrays = random_inputs(**SIZES)
    with Torch(SIZES, arrays) as torch:
        torch.run()
        result = torch.outputs()
    expected = tpmlp.reference(*arrays)
    np.testing.assert_allclose(result["out"], expected["out"], rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(result["hidden"], expected["hidden"], rtol=1e-4, atol=1e-4)


def test_growth_compiles_anew_each_time():
    compiled = []
    jax.monitoring.register_event_duration_secs_listener(lambda event, *_, **__: compiled.append(event))
    for _ in range(2):
        compiled.clear()
        assert seconds_to_compile(8) > 0
        assert any("backend_compile" in event for event in compiled)
    jax.monitoring.clear_event_listeners()


def test_growth_runs_on_as_many_devices_as_it_says():
    for n in (1, 8):
        function, arrays = forward_of({**BASE, "H": 64}, n).args
        assert len(arrays.w1.sharding.device_set) == n
        assert function(*arrays)["hidden"].sharding.device_set == arrays.w1.sharding.device_set
