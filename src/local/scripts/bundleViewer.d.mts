/** Script and styles of the map page. */
export function bundleMapPage(): Promise<{ script: string; style: string }>;
/** The viewer as one HTML file. */
export function bundleViewerPage(): Promise<string>;
/** Writes map page, viewer and borders into a folder, by default `dist/viewer`. */
export function bundleAll(out?: string): Promise<void>;
