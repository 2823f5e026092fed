import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { argv, env, execPath, kill } from 'node:process'
import { descriptorOf } from '../../src/agents/registry.ts'
import { writeFiles } from '../support/workspace.ts'
import { fetched } from './fetched.ts'
import { launches } from './launch/index.ts'
import type { Launch } from './launch/launch.ts'
import { mark } from './model/script.ts'
import { scriptedModel } from './model/server.ts'
import { parametersOf, toolsOffered } from './offered.ts'
import { folderOf, isPinned, type Pinned, programOf } from './pins.ts'

// `npm run agents:surface -- AGENT OLD NEW`: what differs between two versions in what hookgate is asked about. The tools
// are those that the program offers its model, with their parameters, in a run of its own; the words are those that stand
// near the names of events that hookgate knows, in what is installed. Minified names are among them: read it.

/** How far from a name of an event its neighbours are looked for: lists of events and schemas are shorter. */
const reach = 600

const [, , agent = '', ...versions] = argv
if (!isPinned(agent) || versions.length !== 2) throw new Error('give an agent, an old version and a new one')
const [before, after] = [await surfaceOf(agent, versions[0] ?? ''), await surfaceOf(agent, versions[1] ?? '')]
printDifference('tools offered', before.tools, after.tools)
printDifference('words near events', before.words, after.words)

interface Surface {
  readonly tools: ReadonlySet<string>
  readonly words: ReadonlySet<string>
}

async function surfaceOf(name: Pinned, version: string): Promise<Surface> {
  if (programOf(name, version) === undefined && !fetched(name, version)) throw new Error(`no ${name} ${version}`)
  return { tools: await toolsOf(name, version), words: wordsOf(name, version) }
}

function printDifference(what: string, old: ReadonlySet<string>, now: ReadonlySet<string>): void {
  const lines = [
    ...[...old].filter((one) => !now.has(one)).map((one) => `- ${one}`),
    ...[...now].filter((one) => !old.has(one)).map((one) => `+ ${one}`),
  ].toSorted((a, b) => (a.slice(2) < b.slice(2) ? -1 : 1))
  console.log([`${what}: ${old.size} → ${now.size}`, ...lines].join('\n'))
}

/** Starts a program once in an empty home, and reads what it offers its model: `NAME.PARAMETER`. */
async function toolsOf(name: Pinned, version: string): Promise<ReadonlySet<string>> {
  const model = await scriptedModel()
  model.play({ main: [] })
  const folder = mkdtempSync(join(tmpdir(), 'hookgate-surface-'))
  const around = { origin: model.origin, home: join(folder, 'home'), project: join(folder, 'project') }
  mkdirSync(around.project)
  const launch: Launch = launches[name]
  writeFiles(around.home, { x: '', ...launch.files?.(around) })
  const program = programOf(name, version) ?? ''
  const args = launch.args(`${mark.main}: do as the test says`, around)
  const words = /\.m?js$/.test(program) ? [program, ...args] : args
  const nowhere = 'http://127.0.0.1:9'
  const child = spawn(program === words[0] ? execPath : program, words, {
    cwd: around.project,
    detached: true,
    stdio: 'ignore',
    env: {
      PATH: `${dirname(execPath)}:${env['PATH'] ?? ''}`,
      HOME: around.home,
      TMPDIR: folder,
      HTTP_PROXY: nowhere,
      HTTPS_PROXY: nowhere,
      NO_PROXY: '127.0.0.1,localhost',
      ...launch.env?.(around),
    },
  })
  const late = setTimeout(() => kill(-(child.pid ?? 0), 'SIGKILL'), 120_000)
  await new Promise((ended) => child.on('exit', ended))
  clearTimeout(late)
  const tools = model.asked().flatMap(toolsOffered)
  await model.close()
  rmSync(folder, { recursive: true, force: true })
  return new Set(
    tools.flatMap(({ name: tool, schema }) => ['', ...parametersOf(schema)].map((key) => `${tool}${key && '.'}${key}`)),
  )
}

/** Finds the quoted words that stand near the names of an agent's events, in all files of a version. */
function wordsOf(name: Pinned, version: string): ReadonlySet<string> {
  const known = Object.keys(descriptorOf(name)?.events ?? {})
  const near = new RegExp(
    String.raw`["'\`](?:${known.map((one) => one.replaceAll('.', String.raw`\.`)).join('|')})["'\`]`,
    'g',
  )
  const folder = join(folderOf(name, version), 'node_modules')
  const found = new Set<string>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/^[^.]+$|\.(?:[cm]?js|exe|json)$/.test(entry.name)) continue
    const text = readFileSync(join(entry.parentPath, entry.name), 'latin1')
    for (const { index } of text.matchAll(near))
      for (const [, word = ''] of text
        .slice(Math.max(0, index - reach), index + reach)
        .matchAll(/["'`]([A-Za-z][\w.]{3,40})["'`]/g))
        found.add(word)
  }
  return found
}
