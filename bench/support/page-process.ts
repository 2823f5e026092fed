import { createInterface } from 'node:readline'
import { installContextFor } from '../../src/cli/args/flags.ts'
import { version } from '../../src/files/program-files.ts'
import { placesOf } from '../../src/files/state/places.ts'
import { servePage } from '../../src/ui/serve.ts'

// Serves the page for `bench/page.ts`, as `hookgate ui` does at a terminal: prints a link for each line it reads.

const { env, platform } = process
const places = placesOf({ env, platform, uid: process.getuid?.(), home: env['HOME'] ?? '/' })
const page = await servePage({
  port: 0,
  places,
  version: version(),
  cwd: process.cwd(),
  env,
  installingIn: (cwd) => installContextFor({ env, cwd }),
})
createInterface({ input: process.stdin }).on('line', () => console.log(page.link()))
