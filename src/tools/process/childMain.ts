/** Entry of a tool process: the catalog's tools and upload inspection. */
import { allTools } from '../index.ts';
import { inspectUpload } from '../upload/inspect.ts';
import { serveTools } from './serve.ts';

serveTools({ tools: new Map(allTools.map((tool) => [tool.name, tool])), inspect: inspectUpload });
