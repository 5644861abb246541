export type SymbolName = 'triangle' | 'diamond' | 'circle' | 'square' | 'cross' | 'pentagon';

/** Outlines of the symbols as SVG path data around (0, 0), about 2 units wide; also read by `Path2D` in the page. */
export const SYMBOL_PATHS: Readonly<Record<SymbolName, string>> = {
  triangle: 'M0,-1.15 L1.1,0.8 L-1.1,0.8 Z',
  diamond: 'M0,-1.2 L1.1,0 L0,1.2 L-1.1,0 Z',
  circle: 'M-0.9,0 A0.9,0.9 0 1 0 0.9,0 A0.9,0.9 0 1 0 -0.9,0 Z',
  square: 'M-0.85,-0.85 L0.85,-0.85 L0.85,0.85 L-0.85,0.85 Z',
  cross: 'M-1,-0.6 L-0.6,-1 L0,-0.4 L0.6,-1 L1,-0.6 L0.4,0 L1,0.6 L0.6,1 L0,0.4 L-0.6,1 L-1,0.6 L-0.4,0 Z',
  pentagon: 'M0,-1.05 L1,-0.32 L0.62,0.85 L-0.62,0.85 L-1,-0.32 Z',
};
