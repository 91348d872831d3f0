"""What the functions, structures and enumerations of the package look like, for programs that generate code from them."""
