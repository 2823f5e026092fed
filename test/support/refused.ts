import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseJsonObject } from '../../src/model/json.ts'
import { hookgateHere } from './cli.ts'
import { folderWith } from './workspace.ts'
import { claudeShell } from './wire.ts'

/** Refuses pushes and asks about publishing, without a sandbox. */
export const pushRules = { json: { permissions: { deny: ['Bash(git push *)'], ask: ['Bash(npm publish *)'] } } }
export const userFile = '.config/hookgate/hooks.json'

/** A person with rules in a home folder, and an agent that calls the shell in a project. */
export function personWith(rules: Parameters<typeof folderWith>[0] = { [userFile]: pushRules }) {
  const home = folderWith({ 'project/x': '', ...rules })
  const cwd = join(home, 'project')
  const state = join(home, 'state')
  const env = { HOME: home, XDG_CONFIG_HOME: '', HOOKGATE_HOME: state }
  const allow = (...argv: string[]) => hookgateHere(['allow', ...argv], { env, cwd })
  /** Has the agent call a command with `hookgate run`. */
  async function call(command: string, { session = 's', agent = 'claude-code', more = [] as string[] } = {}) {
    const wire = { ...claudeShell(command, cwd), session_id: session }
    const { stdout } = await hookgateHere(['run', '--agent', agent, ...more], { stdin: JSON.stringify(wire), env, cwd })
    const { hookSpecificOutput: said } = { hookSpecificOutput: {}, ...parseJsonObject(stdout) }
    const { permissionDecision: decision = 'abstain', permissionDecisionReason: reason = '' } = {
      ...(said as Readonly<Record<string, string>>),
    }
    return { decision, reason, id: /hookgate allow ([a-z0-9]+)/.exec(reason)?.[1] ?? '' }
  }
  /** Runs `hookgate allow` at a terminal, where the person gives these answers. */
  async function allowAsked(answers: readonly string[], ...argv: string[]) {
    const questions: string[] = []
    const ask = (question: string) => Promise.resolve(answers[questions.push(question) - 1] ?? '')
    return { ...(await hookgateHere(['allow', ...argv], { env, cwd, ask })), questions }
  }
  const textOf = (file: string) => (existsSync(join(home, file)) ? readFileSync(join(home, file), 'utf8') : undefined)
  return {
    home,
    cwd,
    env,
    state,
    allow,
    allowAsked,
    call,
    textOf,
    rules: () => parseJsonObject(textOf(userFile) ?? ''),
  }
}
