import { createCatalog } from '../../../src/catalog/catalog.ts';
import { runInHost } from '../../../src/runs/toolRunner.ts';
import type { Services, ToolRunner } from '../../../src/runs/services.ts';
import { current } from './journal.ts';
import { job } from './jobTool.ts';
import { plainTools } from './tools.ts';

/** Every test tool. */
export const testAppTools = [...plainTools, job];

/** The product's services with the test tools beside its own. */
export function withTestTools(built: Services): Services {
  const catalog = createCatalog([...built.catalog.list(), ...testAppTools]);
  const own = new Map(testAppTools.map((tool) => [tool.name, tool]));
  const tools: ToolRunner = {
    run(name, run, options) {
      const tool = own.get(name);
      if (tool === undefined) return built.tools.run(name, run, options);
      const work = (): ReturnType<typeof runInHost> => runInHost(tool, run, options);
      return options.operation === undefined ? work() : current.run(options.operation, work);
    },
    inspect: (bytes, name, signal) => built.tools.inspect(bytes, name, signal),
    close: () => built.tools.close(),
  };
  return { ...built, catalog, tools };
}
