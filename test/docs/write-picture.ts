// Writes docs/pictures/refusal.svg, the moving picture of the README: a session of real commands in a fresh home.
//
//   npm run build && node test/docs/write-picture.ts
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inTerminal } from '../support/terminal.ts'
import { root } from './pages.ts'

/** A line of the picture, and how long a reader needs until the next, in seconds. */
interface Line {
  readonly text: string
  readonly look: 'agent' | 'command' | 'output' | 'refused' | 'passed'
  readonly pause: number
}

const [columns, rowHeight, charWidth, margin] = [84, 20, 8.4, 18]
const colours = { agent: '#d2a8ff', command: '#ffffff', output: '#9da7b3', refused: '#ff7b72', passed: '#7ee787' }

const home = mkdtempSync(join(tmpdir(), 'hookgate-picture-'))
const project = join(home, 'shop')
const env = { PATH: process.env['PATH'] ?? '', HOME: home }
const hookgate = (args: readonly string[], input = '') =>
  spawnSync(process.execPath, [join(root, 'dist/cli/bin.js'), ...args], { cwd: project, env, input, encoding: 'utf8' })

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

try {
  writeFileSync(join(root, 'docs/pictures/refusal.svg'), picture(await session()))
} finally {
  hookgate(['down'])
  rmSync(home, { recursive: true, force: true })
}

async function session(): Promise<readonly Line[]> {
  mkdirSync(join(home, '.claude'))
  mkdirSync(project)
  execFileSync('git', ['init', '--quiet', project])
  hookgate(['enable', 'claude-code'])
  const push = 'git push --force origin main'
  const refusal = hookgate(['run', '--agent', 'claude-code'], event(push)).stderr
  const [cause = '', way = ''] = refusal.trim().split('\n')
  const id = /hookgate allow (\w+)/.exec(way)?.[1] ?? ''
  const log = hookgate(['log']).stdout.trimEnd().split('\n')
  const { shown: allowed } = await inTerminal(['allow', id, '--once'], { cwd: project, env, typed: 'y\n' })
  const again = hookgate(['run', '--agent', 'claude-code'], event(push))
  if (id === '' || again.status !== 0 || again.stdout.includes('deny')) throw new Error(`not as expected: ${refusal}`)
  return [
    { text: `● Bash(${push})`, look: 'agent', pause: 1.2 },
    ...wrap(cause).map((text) => ({ text: `  ${text}`, look: 'refused' as const, pause: 1 })),
    ...wrap(way).map((text) => ({ text: `  ${text}`, look: 'output' as const, pause: 1 })),
    { text: '', look: 'output', pause: 0.8 },
    { text: '$ hookgate log', look: 'command', pause: 0.8 },
    ...log.flatMap((line) => wrap(line)).map((text) => ({ text, look: 'output' as const, pause: 0.6 })),
    { text: `$ hookgate allow ${id} --once`, look: 'command', pause: 1 },
    ...allowed
      .split('\n')
      .filter((line) => /^(allowed|tell)/.test(line))
      .flatMap((line) => wrap(line))
      .map((text) => ({ text, look: 'output' as const, pause: 0.8 })),
    { text: '', look: 'output', pause: 0.4 },
    { text: `● Bash(${push})`, look: 'agent', pause: 0.8 },
    { text: '  passes, this one time', look: 'passed', pause: 4 },
  ]
}

function event(command: string): string {
  return JSON.stringify({
    session_id: 'picture',
    hook_event_name: 'PreToolUse',
    cwd: project,
    tool_name: 'Bash',
    tool_input: { command },
    transcript_path: join(home, 'session.jsonl'),
  })
}

/** Breaks a line of output at spaces, as a terminal of this width would show it. */
function wrap(line: string): readonly string[] {
  const indent = /^ */.exec(line)?.[0] ?? ''
  const lines: string[] = []
  let current = ''
  for (const word of line.slice(indent.length).split(' ')) {
    if (current !== '' && indent.length + current.length + word.length + 1 > columns - 4) {
      lines.push(indent + current)
      current = word
    } else current = current === '' ? word : `${current} ${word}`
  }
  return [...lines, indent + current]
}

function picture(lines: readonly Line[]): string {
  const whole = lines.reduce((sum, { pause }) => sum + pause, 0)
  const [width, height] = [columns * charWidth + 2 * margin, lines.length * rowHeight + 2 * margin]
  let at = 0
  const texts = lines.map(({ text, look, pause }, row) => {
    const start = (at / whole).toFixed(4)
    at += pause
    const shown = `<animate attributeName="opacity" values="0;1;1" keyTimes="0;${start};1" calcMode="discrete" dur="${whole.toFixed(1)}s" repeatCount="indefinite"/>`
    const y = margin + (row + 0.75) * rowHeight
    const animation = start === '0.0000' ? '' : shown
    return `<text x="${margin}" y="${y}" fill="${colours[look]}">${escape(text)}${animation}</text>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    '<title>A forced push is refused, allowed once by a person, and passes</title>',
    `<rect width="${width}" height="${height}" rx="10" fill="#0d1117"/>`,
    '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" xml:space="preserve">',
    ...texts,
    '</g>',
    '</svg>',
    '',
  ].join('\n')
}
