/** Where the map lies in the picture and how degrees become pixels. */
import { fromMercator, groundScale, toMercator, type Box } from '../mercator.ts';

export interface Frame {
  /** Pixels. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Visible part in Web Mercator metres. */
  readonly box: Box;
  /** Visible part in degrees. */
  readonly degrees: Box;
  /** Pixels of a place. */
  project(lon: number, lat: number): readonly [number, number];
  /** Pixels of a Web Mercator position. */
  projectMetres(x: number, y: number): readonly [number, number];
  /** Metres on the ground per pixel at the middle of the map. */
  readonly metresPerPixel: number;
}

/** Fits a box of degrees into a rectangle of pixels: the box grows on one side, the scale is equal in both directions. */
export function createFrame(degrees: Box, x: number, y: number, width: number, height: number): Frame {
  const [west, south] = toMercator(degrees[0], degrees[1]);
  const [east, north] = toMercator(degrees[2], degrees[3]);
  const scale = Math.max((east - west) / width, (north - south) / height);
  const [midX, midY] = [(west + east) / 2, (south + north) / 2];
  const box: Box = [
    midX - (scale * width) / 2,
    midY - (scale * height) / 2,
    midX + (scale * width) / 2,
    midY + (scale * height) / 2,
  ];
  const projectMetres = (mx: number, my: number): readonly [number, number] => [
    x + (mx - box[0]) / scale,
    y + (box[3] - my) / scale,
  ];
  return {
    x,
    y,
    width,
    height,
    box,
    degrees: [...fromMercator(box[0], box[1]), ...fromMercator(box[2], box[3])] as unknown as Box,
    project: (lon, lat) => projectMetres(...toMercator(lon, lat)),
    projectMetres,
    metresPerPixel: scale * groundScale(fromMercator(midX, midY)[1]),
  };
}

/** Whether a pixel lies inside the frame. */
export const inside = (frame: Frame, [px, py]: readonly [number, number]): boolean =>
  px >= frame.x && py >= frame.y && px <= frame.x + frame.width && py <= frame.y + frame.height;
