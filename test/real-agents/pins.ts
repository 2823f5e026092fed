import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { arch, env, platform } from 'node:process'

/** A program as it is published: exactly this version is fetched and tested. */
export interface Pin {
  readonly name: string
  readonly version: string
  /** Where its program lies below `node_modules`. Programs that only unpack others are passed by. */
  readonly program: string
}

const machine = `${platform}-${arch}`

/** The agents that can be had from npm and run without a login. */
export const pins = {
  'claude-code': {
    name: '@anthropic-ai/claude-code',
    version: '2.1.332',
    program: `@anthropic-ai/claude-code-${machine}/claude`,
  },
  cline: { name: 'cline', version: '3.0.65', program: `@cline/cli-${machine}/bin/cline` },
  'gemini-cli': { name: '@google/gemini-cli', version: '0.61.0', program: '@google/gemini-cli/bundle/gemini.js' },
  codex: { name: '@openai/codex', version: '0.171.0', program: '@openai/codex/bin/codex.js' },
  'copilot-cli': { name: '@github/copilot', version: '1.0.102', program: `@github/copilot-${machine}/copilot` },
  'qwen-code': { name: '@qwen-code/qwen-code', version: '0.24.4', program: '@qwen-code/qwen-code/cli-entry.js' },
  // The package that people install, `@factory/cli`, only fetches this one.
  droid: { name: `@factory/cli-${machine}`, version: '0.225.2', program: `@factory/cli-${machine}/bin/droid` },
  opencode: { name: 'opencode-ai', version: '1.18.33', program: `opencode-${machine}/bin/opencode` },
  // The package that people install, `@kilocode/cli`, has one like this for each kind of machine.
  kilo: { name: `@kilocode/cli-${machine}`, version: '7.7.9', program: `@kilocode/cli-${machine}/bin/kilo` },
  // It unpacks itself below the home of whoever starts it.
  'grok-build': { name: '@xai-official/grok', version: '1.0.41', program: '@xai-official/grok/bin/grok-bootstrap.js' },
  'kimi-code': { name: '@moonshot-ai/kimi-code', version: '2.1.0', program: '@moonshot-ai/kimi-code/dist/main.mjs' },
  pi: {
    name: '@earendil-works/pi-coding-agent',
    version: '1.6.0',
    program: '@earendil-works/pi-coding-agent/dist/bundle/cli.js',
  },
  openclaw: { name: 'openclaw', version: '2026.9.6', program: 'openclaw/openclaw.mjs' },
} as const satisfies Readonly<Record<string, Pin>>

export type Pinned = keyof typeof pins
export const pinned = Object.keys(pins) as readonly Pinned[]

export const isPinned = (agent: string): agent is Pinned => pinned.some((one) => one === agent)

/** Where they are fetched to: outside of the repository, a folder for each agent and version. */
export function folderOf(agent: Pinned, version: string = pins[agent].version): string {
  return join(env['HOOKGATE_AGENTS'] ?? join(cacheFolder(), 'hookgate-agents'), `${agent}-${version}`)
}

/** The program of an agent, by its path; `undefined` where it has not been fetched. */
export function programOf(agent: Pinned, version: string = pins[agent].version): string | undefined {
  const file = join(folderOf(agent, version), 'node_modules', pins[agent].program)
  return existsSync(file) ? file : undefined
}

function cacheFolder(): string {
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches')
  if (platform === 'win32') return env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local')
  return env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
}
