"""Serves a model on the loopback: `python serve.py FILE NAME PORT THREADS`. Prints its address, and ends with its input."""

import sys

import xllamacpp


def main() -> None:
    parameters = xllamacpp.CommonParams()
    parameters.model.path, parameters.model_alias = sys.argv[1], {sys.argv[2]}
    parameters.hostnames, parameters.port = ["127.0.0.1"], int(sys.argv[3])
    # One question at a time, with room for the largest prompt and its answer.
    parameters.n_ctx, parameters.n_parallel = 8192, 1
    # -1 is the engine's own choice.
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = int(sys.argv[4])
    parameters.warmup = False
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
