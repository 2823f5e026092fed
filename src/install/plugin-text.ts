import type { PluginInstall } from '../agents/install/install.ts'
import { version } from '../files/program-files.ts'
import type { AgentName } from '../model/event.ts'
import { limits } from '../model/limits.ts'
import type { InstallScope } from './install-context.ts'

/** A program that loads the plugin as its agent does, and asks it about a tool. */
export const callingPlugin = `
import { pathToFileURL } from 'node:url'
let text = ''
for await (const chunk of process.stdin) text += chunk
const wire = JSON.parse(text)
const { Hookgate, default: extension } = await import(pathToFileURL(process.argv[1]).href)
try {
  if (Hookgate) await (await Hookgate(wire))['tool.execute.before'](wire, wire)
  else if (extension.register) {
    const handlers = {}
    extension.register({ on: (name, handler) => (handlers[name] = handler) })
    const { toolName, params, toolCallId, clawSession: sessionId } = wire
    const answer = await handlers.before_tool_call({ toolName, params, toolCallId }, { sessionId })
    if (answer?.block) throw new Error(answer.blockReason)
  } else {
    const handlers = {}
    extension({ on: (name, handler) => (handlers[name] = handler) })
    const sessionManager = { getSessionId: () => wire.piSession, getSessionFile() {} }
    const answer = await handlers.tool_call(wire, { cwd: wire.cwd, hasUI: false, sessionManager })
    if (answer) throw new Error(answer.reason)
  }
} catch ({ message }) {
  console.log(JSON.stringify({ status: 'deny', reason: message }))
  console.error(message)
  process.exitCode = 2
}
`

interface PluginOptions {
  readonly agent: AgentName
  /** Default: `plugin`. */
  readonly api?: PluginInstall['api']
  /** `managed`: an administrator's, for everybody on a machine. */
  readonly scope: InstallScope | 'managed'
  /** The program and arguments for each event. */
  readonly commands: Readonly<Record<string, readonly string[]>>
  /** The time limit where something could be refused, and where not. Default: as of every registration. */
  readonly answerMs?: number
  readonly observeMs?: number
}

const writtenBy = (agent: AgentName) => `// Written by \`hookgate enable ${agent}`

/** Recognises a plugin of `enable`, whatever has been edited in it since. */
export const isOwnPlugin = (agent: AgentName, text: string) =>
  text.startsWith('// hookgate ') && text.includes(`\n${writtenBy(agent)}`)

/**
 * The plugin for agents that run it in their own process and have no other hooks. It needs nothing but what Node and Bun
 * both have. Where it gets no answer it refuses whatever can be refused, and it never waits for ever.
 */
export function pluginText({
  agent,
  api = 'plugin',
  scope,
  commands,
  answerMs = limits.registeredTimeoutS * 1000,
  observeMs = limits.registeredEndTimeoutS * 1000,
}: PluginOptions): string {
  const flags = { user: '', project: ' --scope project', managed: ' --managed' }[scope]
  return `// hookgate ${version()}: has hookgate asked before the agent acts.
${writtenBy(agent)}${flags}\`; \`hookgate disable ${agent}${flags}\` takes it away.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'

const agent = ${JSON.stringify(agent)}
const commands = ${JSON.stringify(commands, undefined, 2)}
// The programs of a project are found on the PATH, on Windows as files that only a shell starts.
const isByName = ${scope === 'project'}
const answerMs = ${answerMs}
const observeMs = ${observeMs}
${asking}${{ plugin: opencodePlugin, extension: piExtension, package: clawPlugin }[api]}`
}

/** The part of the plugin that is the same for every agent. Events have their names and folders under either key. */
const asking = `
function ask(event, timeoutMs) {
  return new Promise((resolve, reject) => {
    const [file, ...args] = commands[event.event ?? event.type]
    const onWindows = process.platform === 'win32'
    const options = { cwd: event.directory ?? event.cwd, stdio: 'pipe', detached: !onWindows, shell: isByName && onWindows }
    const child = spawn(file, args, options)
    const late = setTimeout(() => {
      end(child)
      reject(new Error('hookgate cannot answer: it took too long'))
    }, timeoutMs)
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
    child.on('error', (error) => {
      clearTimeout(late)
      reject(new Error('hookgate cannot answer: ' + error.message))
    })
    child.on('close', (code) => {
      clearTimeout(late)
      resolve({ code, stdout, stderr })
    })
    child.stdin.on('error', () => {})
    child.stdin.end(JSON.stringify(event))
  })
}

/** With all that it has started. */
function end(child) {
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}

/** Throws the reason for the model where something is refused, or where there is no answer. */
async function decided(event) {
  const { code, stdout, stderr } = await ask(event, answerMs).catch((error) => {
    throw missing(event) ?? error
  })
  const answer = answerIn(stdout)
  if (code === 0 && answer !== undefined && answer.status !== 'deny') return answer
  if (answer?.reason) throw Object.assign(new Error(answer.reason), { stop: answer.stop })
  throw missing(event) ?? new Error(stderr.trim() || 'hookgate cannot answer: it ended with ' + code)
}

function missing({ event, type }) {
  const gone = commands[event ?? type].find((word) => word.startsWith('/') && !existsSync(word))
  return gone && new Error(gone + ' is gone: run \`hookgate enable ' + agent + '\`')
}

/** For what has happened already. */
async function observed(event) {
  try {
    const { code, stdout } = await ask(event, observeMs)
    return (code === 0 && answerIn(stdout)) || {}
  } catch {
    return {}
  }
}

function answerIn(stdout) {
  if (stdout.trim() === '') return {}
  try {
    const answer = JSON.parse(stdout)
    return typeof answer === 'object' && answer !== null ? answer : undefined
  } catch {
    return undefined
  }
}

/** In place: the agent goes on with the very object that it gave. */
function replace(target, source) {
  for (const key of Object.keys(target)) if (!(key in source)) delete target[key]
  Object.assign(target, source)
}
`

const opencodePlugin = `
export const Hookgate = async ({ directory, worktree, client }) => {
  /** The session that has started each session, of those that are known; undefined for one that a person has. */
  const parents = new Map()
  const parentOf = async (id) => {
    if (parents.has(id)) return parents.get(id)
    const found = await sessionOf(client, id)
    // Asked once: an agent that does not answer would hold up every call. An event may have told meanwhile.
    if (!parents.has(id)) parents.set(id, found?.parentID)
    return parents.get(id)
  }
  const rootOf = async (id) => {
    let root = id
    // A session has no more than some ancestors; one that were its own would have no end of them.
    for (let steps = 0; root && steps < 100; steps += 1) {
      const parent = await parentOf(root)
      if (!parent) break
      root = parent
    }
    return root
  }
  const eventOf = async (event, sessionID, more) => ({
    event,
    agent,
    sessionID: sessionID ?? '',
    ...rootIn(sessionID, await rootOf(sessionID)),
    directory,
    // Outside of a repository it is the root of all files.
    ...(worktree && worktree !== '/' && { worktree }),
    timestamp: Date.now(),
    ...more,
  })
  return {
    'tool.execute.before': async ({ tool, sessionID, callID }, output) => {
      const args = output.args ?? {}
      const answer = await decided(await eventOf('tool.execute.before', sessionID, { tool, callID, args }))
      if (answer.args !== undefined) replace(args, answer.args)
    },
    'tool.execute.after': async ({ tool, sessionID, callID, args }, output) => {
      const more = { tool, callID, args: args ?? {}, output: output.output ?? output, exit: output.metadata?.exit }
      const answer = await observed(await eventOf('tool.execute.after', sessionID, more))
      if (answer.output !== undefined) output.output = answer.output
      if (answer.context && typeof output.output === 'string') output.output += '\\n\\n' + answer.context
    },
    'permission.ask': async ({ type, pattern, sessionID, callID, metadata }, output) => {
      const command = typeof pattern === 'string' ? pattern : (pattern ?? []).join(' && ')
      const args = { ...(type === 'bash' && { command }), ...metadata }
      try {
        const answer = await decided(await eventOf('permission.ask', sessionID, { tool: type, callID: callID ?? '', args }))
        if (answer.status !== undefined) output.status = answer.status
      } catch {
        output.status = 'deny'
      }
    },
    'chat.message': async ({ sessionID }, output) => {
      const texts = output.parts.filter(({ type }) => type === 'text')
      const prompt = texts.map(({ text }) => text).join('\\n')
      const answer = await decided(await eventOf('chat.message', sessionID, { prompt }))
      const last = texts.at(-1)
      if (answer.context && last !== undefined) last.text += '\\n\\n' + answer.context
    },
    'experimental.session.compacting': async ({ sessionID }, output) => {
      const answer = await observed(await eventOf('experimental.session.compacting', sessionID, { trigger: 'auto' }))
      if (answer.context) output.context.push(answer.context)
    },
    event: async ({ event: { type, properties } }) => {
      const { id, parentID } = properties?.info ?? {}
      if (type === 'session.created' && id) parents.set(id, parentID)
      const own = {
        'session.created': { source: 'startup' },
        'session.deleted': { reason: 'other' },
        'session.idle': {},
      }[type]
      if (own !== undefined) await observed(await eventOf(type, properties?.info?.id ?? properties?.sessionID, own))
      if (type === 'session.deleted') parents.delete(id)
    },
  }
}

const rootIn = (id, root) => (root === id ? {} : { rootSessionID: root })

/** What the agent itself knows of a session that has begun in an earlier run. Without an answer, it counts for itself. */
async function sessionOf(client, id) {
  let late
  const none = new Promise((resolve) => (late = setTimeout(resolve, sessionMs)))
  try {
    return (await Promise.race([client?.session.get({ path: { id } }), none]))?.data
  } catch {
    return undefined
  } finally {
    clearTimeout(late)
  }
}
/** The agent answers from its own process; a call does not wait for it longer. */
const sessionMs = 2000
`

/**
 * Pi's extension. It refuses by an answer, not by an error, so that the model reads the reason alone.
 *
 * INVARIANT: no error leaves the handler of \`input\`: Pi reports one and goes on with the prompt.
 */
const piExtension = `
export default (pi) => {
  // What the model is told of a call is told with its result: before the call, Pi takes no text.
  const contexts = new Map()
  const eventOf = (type, ctx, more) => ({
    type,
    agent,
    piSession: ctx.sessionManager.getSessionId(),
    sessionFile: ctx.sessionManager.getSessionFile(),
    cwd: ctx.cwd,
    timestamp: Date.now(),
    hasUI: ctx.hasUI,
    ...more,
  })
  pi.on('tool_call', async ({ toolName, toolCallId, parentToolCallId, input }, ctx) => {
    try {
      const answer = await decided(eventOf('tool_call', ctx, { toolName, toolCallId, parentToolCallId, input }))
      if (answer.stop !== undefined) ctx.abort()
      const reason = answer.stop ?? (await unconfirmed(answer, ctx))
      if (reason !== undefined) return { block: true, reason }
      if (answer.args !== undefined) replace(input, answer.args)
      if (answer.context) contexts.set(toolCallId, answer.context)
    } catch ({ message, stop }) {
      // A refusal may end the turn as well.
      if (stop !== undefined) ctx.abort()
      return { block: true, reason: message }
    }
  })
  pi.on('tool_result', async ({ toolName, toolCallId, input, content, isError }, ctx) => {
    const texts = content.filter(({ type }) => type === 'text').map(({ text }) => text)
    const more = { toolName, toolCallId, input, output: texts.join('\\n'), isError: isError === true }
    const answer = await observed(eventOf('tool_result', ctx, more))
    const added = [contexts.get(toolCallId), answer.context].filter(Boolean)
    contexts.delete(toolCallId)
    if (answer.output === undefined && added.length === 0) return undefined
    const result = answer.output === undefined ? content : [textOf(answer.output)]
    return { content: [...result, ...added.map(textOf)] }
  })
  pi.on('input', async ({ text, source }, ctx) => {
    try {
      const answer = await decided(eventOf('input', ctx, { text, source }))
      if (answer.context) return { action: 'transform', text: text + '\\n\\n' + answer.context }
    } catch ({ message }) {
      if (ctx.hasUI) ctx.ui.notify(message, 'error')
      else console.error(message)
      return { action: 'handled' }
    }
  })
  const reported = {
    session_start: ({ reason }) => ({ reason }),
    session_shutdown: ({ reason }) => ({ reason }),
    session_before_compact: ({ reason }) => ({ trigger: reason === 'manual' ? reason : 'auto' }),
    agent_settled: () => ({}),
  }
  for (const [type, fieldsOf] of Object.entries(reported))
    pi.on(type, async (event, ctx) => void (await observed(eventOf(type, ctx, fieldsOf(event)))))
}

const textOf = (output) => ({ type: 'text', text: typeof output === 'string' ? output : JSON.stringify(output) })

/** Asks the person. Returns the reason of a refusal, if it comes to that. */
async function unconfirmed({ status, reason }, ctx) {
  if (status !== 'ask') return undefined
  // Headless, nobody is there, and the gate does not answer so.
  const isFine = ctx.hasUI && (await ctx.ui.confirm('hookgate asks', reason, { signal: ctx.signal }))
  return isFine ? undefined : 'the person did not agree: ' + reason
}
`

/**
 * OpenClaw's plugin. It refuses by an answer, since OpenClaw replaces the text of an error. A call within a script, or
 * behind \`tool_call\`, is handed to it as a call of its own, so that what surrounds it is not asked about.
 */
const clawPlugin = `
import { homedir } from 'node:os'

export default {
  id: 'hookgate',
  name: 'hookgate',
  register(api) {
    const workspaceOf = (agentId) => api.runtime?.agent.resolveAgentWorkspaceDir(api.config, agentId ?? 'main')
    const eventOf = (type, { sessionId, sessionKey, agentId, requester }, more) => {
      const workspace = workspaceOf(agentId)
      return {
        type,
        agent,
        clawSession: sessionId ?? sessionKey ?? '',
        ...(/:subagent:/.test(sessionKey) && { subagent: sessionKey }),
        cwd: workspace !== undefined && existsSync(workspace) ? workspace : homedir(),
        timestamp: Date.now(),
        requester,
        ...more,
      }
    }
    const isOuter = ({ toolName, toolKind }) => toolName === 'tool_call' || toolKind === 'code_mode_exec'
    const before = async (event, ctx) => {
      if (isOuter(event)) return undefined
      const { toolName, toolCallId, params } = event
      try {
        const answer = await decided(eventOf('before_tool_call', ctx, { toolName, toolCallId, params }))
        // What another plugin makes of a call is not seen here, and of several answers the last one counts.
        return { params: answer.args ?? params }
      } catch ({ message }) {
        return { block: true, blockReason: message }
      }
    }
    api.on('before_tool_call', before, { priority: Number.MIN_SAFE_INTEGER, timeoutMs: answerMs + 5000 })
    api.on('after_tool_call', async (event, ctx) => {
      if (isOuter(event)) return
      const { toolName, toolCallId, params, result, error, durationMs } = event
      const more = { toolName, toolCallId, params, result, error, durationMs }
      await observed(eventOf('after_tool_call', ctx, more))
    })
    const reported = {
      session_start: ({ resumedFrom }) => ({ source: resumedFrom === undefined ? 'startup' : 'resume' }),
      session_end: ({ reason }) => ({ reason: reason ?? 'unknown' }),
    }
    for (const [type, fieldsOf] of Object.entries(reported))
      api.on(type, async (event, ctx) => void (await observed(eventOf(type, ctx, fieldsOf(event)))))
  },
}
`
