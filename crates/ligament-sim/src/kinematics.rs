//! Positions of bodies and what is fixed to them; centres of mass; motion axes.
