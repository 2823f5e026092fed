import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type BuildOptions, type CodeSplittingGroup, type Plugin } from 'rolldown'
import { z } from 'zod'
import { familiesByName } from './families.ts'
import { bundlePage } from './page.ts'
import { root } from './sources.ts'

const src = join(root, 'src')
const dist = join(root, 'dist')

/** What people and tests start or import. They share their chunks, so that an error has one class. */
const together = ['library/index', 'library/testing', 'files/program-files', 'policy/build-shipped', 'ui/replay-thread']

/** Processes, worker threads, and what runs in the sandbox: each is one file, apart from what it imports late. */
const apart = [
  'library/policy',
  'hooks/companion',
  'hooks/worker',
  'policy/sandbox/thread/sandbox-main',
  'record/export/export-thread',
  'record/recorder-thread',
  'record/verify-thread',
  'policy/sandbox/thread/worker',
]

/** What is ready before the command line is loaded. */
const starts = ['cli/bin', 'cli/claude-hook', 'cli/cline-hook']

/** Packages that stay outside: a native one, and one that starts workers of its own. */
const outside = ['isolated-vm', 'piscina']

/** Writes the programs into `dist`, bundled with the packages that a cold start needs: most of its time is finding files. */
export async function bundle(): Promise<void> {
  const outputs = [await build(options(together, 'chunks/[name]-[hash].js', groups))]
  // As CommonJS: only so can it be loaded with code that was compiled before (`src/cli/start/kept-code.ts`).
  const program = await build(options(['cli/program'], 'program/[name]-[hash].cjs', groups, 'cjs'))
  const programFile = program.output[0].fileName
  outputs.push(program, await build(options(starts, 'cli/start-[name].js', [], 'esm', `../${programFile}`)))
  for (const name of apart) {
    // oxlint-disable-next-line no-await-in-loop -- each already uses every core
    outputs.push(await build(options([name], `${name}-[name].js`, [])))
  }
  // As CommonJS: loading it as a module would take a tenth of its time.
  outputs.push(await build(options(['service/client/thin'], 'service/client/thin-[name].js', [], 'cjs')))
  writeFileSync(join(dist, 'service', 'client', 'package.json'), '{"type":"commonjs"}\n')
  outputs.push(await build(stripper))
  const programs = outputs.flatMap(({ output }) => output.flatMap((one) => (one.type === 'chunk' ? one.moduleIds : [])))
  const modules = [...programs, ...(await bundlePage(dist))]
  writeFileSync(join(dist, 'third-party-licenses.txt'), licences(modules))
}

const options = (
  names: readonly string[],
  chunkFileNames: string,
  chunks: readonly CodeSplittingGroup[],
  format: 'esm' | 'cjs' = 'esm',
  programFile = '',
): BuildOptions => ({
  cwd: root,
  input: Object.fromEntries(names.map((name) => [name, join(src, `${name}.ts`)])),
  platform: 'node',
  external: [/^node:/, new RegExp(`^(?:${outside.join('|')})(?:/|$)`)],
  // The main file of `jsonc-parser` is one that no bundler can follow.
  // What colours the debugging output of `tuf-js`, if it is installed, is not.
  resolve: { mainFields: ['module', 'main'], alias: { 'supports-color': false } },
  plugins: [wires, familiesByName],
  // Else V8 compiles each family of programs at once, whether or not it is loaded.
  optimization: { pifeForModuleWrappers: false },
  ...(programFile && { transform: { define: { 'import.meta.programFile': JSON.stringify(programFile) } } }),
  output: {
    dir: dist,
    format,
    // The command line's files run without `import()` (`src/cli/start/kept-code.ts`).
    dynamicImportInCjs: false,
    // For `node --enable-source-maps`; names are kept, so a stack trace is readable without. Not for the command line, whose
    // files Node does not load itself, and which would then take 7 MB instead of 3.
    sourcemap: !chunkFileNames.startsWith('program/'),
    minify: chunkFileNames.startsWith('program/') && {
      compress: false,
      mangle: false,
      codegen: { removeWhitespace: true },
    },
    sourcemapExcludeSources: true,
    entryFileNames: chunkFileNames.startsWith('program/') ? chunkFileNames : '[name].js',
    chunkFileNames,
    codeSplitting: { groups: [...chunks] },
  },
})

/** The type stripper, as a module that `require` can load again. */
const stripper: BuildOptions = {
  cwd: root,
  input: { amaro: 'amaro' },
  platform: 'node',
  output: { dir: dist, format: 'cjs', entryFileNames: '[name].cjs' },
}

/** Modules that are in one chunk, since a start that needs one of them needs most; fewer files are found faster. */
const groups: readonly CodeSplittingGroup[] = [
  // Apart from all else, which may fail to load.
  {
    name: 'last-resort',
    test: /src[\\/](?:agents[\\/].*last-resort[\w-]*|cli[\\/]start[\\/](?:agent-named|write-whole))\.ts$/,
    priority: 3,
  },
  // What `hookgate run` loads before all else, and so without what else is in their folders.
  {
    name: 'early',
    test: /src[\\/](?:policy[\\/]sandbox[\\/](?:host[\\/]process-placement|wire[\\/](?:clocks|frame-bytes|frames))|files[\\/](?:entry-name|home-folder|program-files|state[\\/]places)|model[\\/](?:errors|limits|text))\.ts$/,
    priority: 3,
  },
  { name: 'zod', test: /node_modules[\\/]zod[\\/]/, priority: 2 },
  { name: 'acorn', test: /node_modules[\\/]acorn[\\/]/, priority: 2 },
  { name: 'model', test: /src[\\/](?:files|model|mask)[\\/]/, priority: 1 },
]

/** Lists the wire files of the agents' folders in place of `import()` with a computed path, which cannot be followed. */
const wires: Plugin = {
  name: 'wires',
  transform: {
    filter: { id: /[\\/]agents[\\/]index\.ts$/ },
    handler(code) {
      const computed = 'import(`./${agent}/wire.ts`)'
      if (!code.includes(computed)) throw new Error('src/agents/index.ts imports the wire files in another way')
      const agents = readdirSync(join(src, 'agents')).filter(
        (name) => globSync(join(src, 'agents', name, 'wire.ts'))[0],
      )
      const rows = agents.map((agent) => `${JSON.stringify(agent)}: () => import('./${agent}/wire.ts')`)
      return { code: code.replace(computed, `({ ${rows.join(', ')} })[agent]()`), map: null }
    },
  },
}

const Manifest = z.looseObject({ name: z.string(), version: z.string(), license: z.string() })

/** Returns the licences of the bundled packages, which demand that their texts go with each copy. */
function licences(modules: readonly string[]): string {
  // What was left out has a module of the bundler's in its place.
  const files = modules.filter((file) => !file.startsWith('\0'))
  const folders = files.flatMap((file) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file)?.[0] ?? [])
  const texts = [...new Set(folders)].map((folder) => {
    const { name, version, license } = Manifest.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one))
    const text =
      file === undefined ? 'It is published without a text of its licence.' : readFileSync(join(folder, file), 'utf8')
    return `${name} ${version} (${license})\n\n${text.trim()}\n`
  })
  return texts.toSorted().join(`\n${'-'.repeat(80)}\n\n`)
}
