"""Nuitka plugin that leaves other packages as bytecode, which takes minutes less than compiling numpy."""

from nuitka.plugins.PluginBase import NuitkaPluginBase


class Bytecode(NuitkaPluginBase):
    plugin_name = "bytecode"

    def decideCompilation(self, module_name):  # noqa: N802
        ours = module_name == "__main__" or module_name.hasNamespace("taichi_aot")
        return "compiled" if ours else "bytecode"
