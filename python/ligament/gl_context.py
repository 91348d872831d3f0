"""What programs ask for before they draw. Pictures are made without OpenGL, so a context is only remembered."""


class GLContext:
    """Stands for a drawing context of a given size; any number of them can be current, on any thread."""

    def __init__(self, max_width, max_height):
        self._size = max_width, max_height

    def make_current(self):
        """Nothing needs to be current."""

    def free(self):
        """There is nothing to free."""
