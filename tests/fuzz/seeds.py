"""Good inputs for the targets, made of the golden texts of tests/trace."""

import os
import subprocess

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "trace", "golden")


def golden_texts():
    return sorted(os.path.join(GOLDEN, name) for name in os.listdir(GOLDEN) if name.endswith(".txt"))


def assemble(tarry, text, chunk, trace):
    subprocess.run([tarry, "assemble", "--chunk", chunk, "-o", trace, text], check=True)
    return trace


def in_chunks(*sizes):
    def traces(tarry, folder):
        return [assemble(tarry, text, size, os.path.join(folder, os.path.basename(text) + "." + size))
                for text in golden_texts() for size in sizes]
    return traces


def texts(_tarry, _folder):
    return golden_texts()


SEEDS = {"trace": in_chunks("300"), "parts": in_chunks("300"), "text": texts}


def seeds_of(target, tarry, folder):
    """Paths of inputs without the byte in front that says how they are handed over."""
    return SEEDS[target](tarry, folder)
