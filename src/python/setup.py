"""Builds the extension with CMake, in build-python/ of the clone, where the next installation finds most of it done."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

here = pathlib.Path(__file__).resolve().parent
root = here.parents[1]
folder = pathlib.Path(os.environ.get("ZUG_PYTHON_BUILD", root / "build-python"))


class CMakeBuild(build_ext):
    def build_extension(self, ext):
        options = ["-DCMAKE_BUILD_TYPE=Release", "-DZUG_PYTHON=ON", "-DZUG_TESTS=OFF", f"-DPython_EXECUTABLE={sys.executable}"]
        options += os.environ.get("ZUG_OPTIONS", "").split()
        subprocess.run(["cmake", "-S", root, "-B", folder, *options], check=True)
        jobs = str(os.cpu_count() or 1)
        subprocess.run(["cmake", "--build", folder, "--target", "_zug", "--parallel", jobs], check=True)
        package = pathlib.Path(self.get_ext_fullpath(ext.name)).resolve().parent
        shutil.copytree(folder / "python" / "zug", package, dirs_exist_ok=True)
        shutil.copytree(root / "rules", package / "rules", dirs_exist_ok=True)
        if (folder / "zug-codegen").exists():
            shutil.copy2(folder / "zug-codegen", package)


# What setuptools writes on the way goes to the build folder, not into the sources.
for name in ("egg_base", "build_base"):
    (folder / name).mkdir(parents=True, exist_ok=True)

# The version stands in one place.
version = re.search(r"^project\(zug VERSION (\S+)", (root / "CMakeLists.txt").read_text(), re.MULTILINE)[1]

setup(
    version=version,
    packages=["zug"],
    package_data={"zug": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("zug._zug", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
    options={
        "egg_info": {"egg_base": str(folder / "egg_base")},
        "build": {"build_base": str(folder / "build_base")},
    },
    zip_safe=False,
)
