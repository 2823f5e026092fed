import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limits } from '../model/limits.ts'
import type { ClientCall } from './call.ts'
import type { Client } from './client.ts'
import { hookScript } from './hook-script.ts'
import { endings } from './reply.ts'

/** Every byte there is, a NUL among them and no newline at the end, many times a pipe's room. */
const everyByte = Buffer.from(Array.from({ length: 256 }, (_, at) => 255 - at))
const event = Buffer.concat(Array.from({ length: 1600 }, () => everyByte))
const stderrBytes = 300
const answer = event.subarray(0, 200_000)
const exitCode = 2

/** What must not have a say: each of these makes some shell or Perl run, load, or print something. */
const hostile = {
  PATH: '/nonexistent',
  LC_ALL: 'xx_XX.none',
  ENV: '/nonexistent/env',
  BASH_ENV: '/nonexistent/env',
  'BASH_FUNC_echo%%': '() { exit 0; }',
  SHELLOPTS: 'noexec',
  PERL5OPT: '-Mnonexistent',
  PERL5LIB: '/nonexistent',
  PERL_UNICODE: 'SDA',
  PERLIO: ':crlf',
  NODE_OPTIONS: '--require=/nonexistent.js',
  NODE_V8_COVERAGE: '/proc/nonexistent',
  NODE_COMPILE_CACHE: '/proc/nonexistent',
  NODE_CHANNEL_FD: 'none',
}

/**
 * Really runs a client against a gate that is none: with an event of every byte, in an environment that would lead a
 * careless one astray; then with no gate, where it has to ask a process of its own; then with neither.
 *
 * @returns what is wrong with it
 */
export async function probe(client: Client): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'hookgate-'))
  try {
    const call = callIn(folder)
    return (
      (await wrongWithGate(client, call)) ?? (await wrongAlone(client, call)) ?? (await wrongWithNeither(client, call))
    )
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function callIn(folder: string): ClientCall {
  return {
    agent: 'cline',
    event: 'PreToolUse',
    folder,
    socket: join(folder, 'probe.sock'),
    version: '0.0.0-probe',
    node: '/bin/sh',
    bin: join(folder, 'alone'),
    answerMs: limits.clientProbeMs,
    bringUp: false,
  }
}

async function wrongWithGate(client: Client, call: ClientCall): Promise<string | undefined> {
  let heard: Buffer = Buffer.alloc(0)
  let around: readonly string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const ahead = Number(request.headers['hookgate-caller-bytes'])
      around = body.toString('utf8', 0, ahead).split('\0')
      heard = body.subarray(ahead)
      answerTo(response)
    })
  })
  await new Promise<void>((resolve, reject) => server.on('error', reject).listen(call.socket, resolve))
  const said = await runHook(client, call).finally(() => server.close())
  server.closeAllConnections()
  if (!heard.equals(event)) return 'the gate does not hear the event that it was given'
  const isTold = around[0] === '/' && around.includes(`PATH=${hostile.PATH}`)
  if (!isTold) return 'the gate is not told where the event comes from'
  if (!said.stdout.equals(answer.subarray(0, -stderrBytes))) return 'it does not say what the gate answered'
  // Some shells have something to say of a locale that is not there, before anything of ours runs.
  if (!said.stderr.subarray(-stderrBytes).equals(answer.subarray(-stderrBytes)))
    return 'its stderr is not what the gate answered'
  return said.code === exitCode ? undefined : `its exit code is ${said.code}, and the gate's was ${exitCode}`
}

function answerTo(response: ServerResponse): void {
  response.writeHead(200, {
    'hookgate-exit-code': `${exitCode}`,
    'hookgate-stderr-bytes': `${stderrBytes}`,
    'content-length': `${answer.length}`,
  })
  response.end(answer)
}

async function wrongAlone(client: Client, call: ClientCall): Promise<string | undefined> {
  writeFileSync(
    call.bin,
    `[ "$*" = "run --agent cline --answered=${endings.answered}" ] && [ -z "$NODE_OPTIONS$NODE_V8_COVERAGE" ] && /bin/cat && exit ${endings.answered}\n`,
  )
  const said = await runHook(client, call)
  return said.code === 0 && said.stdout.equals(event)
    ? undefined
    : 'without a gate it does not ask a process of its own'
}

async function wrongWithNeither(client: Client, call: ClientCall): Promise<string | undefined> {
  const said = await runHook(client, { ...call, node: '/nonexistent' })
  const refused = said.code === 0 && said.stdout.toString().startsWith('{"cancel":true,')
  return refused ? undefined : 'with nobody to ask it does not refuse'
}

/** The hook's own file, under the shell that it names. */
async function runHook(client: Client, call: ClientCall) {
  const file = join(call.folder, 'hook')
  writeFileSync(file, hookScript(client, call))
  // Not the file itself: nothing in a folder for temporary files may be executable.
  const [shell = '', ...words] = client.shell
  const options = { env: hostile, cwd: '/', timeout: limits.clientProbeMs, killSignal: 'SIGKILL' } as const
  const child = spawn(shell, [...words, file], options)
  const outs: Buffer[] = []
  const errs: Buffer[] = []
  child.stdin.on('error', () => {}).end(event)
  child.stdout.on('data', (chunk: Buffer) => outs.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => errs.push(chunk))
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  return { stdout: Buffer.concat(outs), stderr: Buffer.concat(errs), code }
}
