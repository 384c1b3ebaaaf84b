"""What modules of both formats have in common: types, parameters, graphs, return values, plans of launches."""
