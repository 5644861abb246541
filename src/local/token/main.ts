/** `npm run token -- --oid alice --tenant local --roles approver`: prints one JWT. */
import { tokenCommand } from './tokenCommand.ts';

const { code, output, error } = await tokenCommand(process.argv.slice(2), process.env, Date.now());
if (code === 0) console.log(output);
else console.error(error);
process.exitCode = code;
