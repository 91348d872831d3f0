"""Converts meshes in the old MSH format to OBJ: ``python -m ligament.msh2obj -i mesh.msh -o mesh.obj``."""

import argparse
import dataclasses
import pathlib

import numpy as np


@dataclasses.dataclass(frozen=True)
class Msh:
    """The content of an MSH file."""

    vertex_positions: np.ndarray
    vertex_normals: np.ndarray
    vertex_texcoords: np.ndarray
    face_vertex_indices: np.ndarray

    @staticmethod
    def create(file):
        """Reads a file: four counts, then vertices, normals, texture coordinates and faces."""
        file = pathlib.Path(file)
        if not file.exists():
            raise FileNotFoundError(f"{file} does not exist.")
        data = file.read_bytes()
        if len(data) < 16:
            raise ValueError(f"{file} is too short to be an MSH file.")
        counts = np.frombuffer(data, dtype=np.int32, count=4)
        parts, at = [], 16
        for what, count, width, dtype in zip(("vertices", "normals", "texcoords", "faces"), counts, (3, 3, 2, 3),
                                             (np.float32, np.float32, np.float32, np.int32)):
            end = at + 4 * int(count) * width
            if count < 0 or end > len(data):
                raise ValueError(f"Invalid number of {what}: {count}.")
            parts.append(np.frombuffer(data[at:end], dtype=dtype).reshape(-1, width).copy())
            at = end
        parts[2][:, 1] = 1 - parts[2][:, 1]  # OBJ counts upwards
        return Msh(*parts)


def msh_to_obj(msh_file):
    """The text of an OBJ file with the content of an MSH file."""
    msh = Msh.create(msh_file)
    lines = [f"{label} {' '.join(str(number) for number in row)}"
             for label, rows in (("v", msh.vertex_positions), ("vn", msh.vertex_normals), ("vt", msh.vertex_texcoords))
             for row in rows]
    lines += ["f " + " ".join(f"{corner + 1}/{corner + 1}/{corner + 1}" for corner in face)
              for face in msh.face_vertex_indices]
    return "".join(f"{line}\n" for line in lines)


def main():
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-i", "--input", required=True, help="MSH file to read")
    parser.add_argument("-o", "--output", required=True, help="OBJ file to write")
    arguments = parser.parse_args()
    pathlib.Path(arguments.output).write_text(msh_to_obj(arguments.input))


if __name__ == "__main__":
    main()
