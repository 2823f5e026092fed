import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KnownAgent } from '../../../src/agents/registry.ts'
import type { EventName, HookEvent } from '../../../src/model/event.ts'
import { limits } from '../../../src/model/limits.ts'
import { knownToolNames, toolKind } from '../../../src/agents/tool-names.ts'
import { compileMatcher, matcherMatches, matcherWarnings, matchesNothing } from '../../../src/rules/match/matcher.ts'
import { waysToMatch } from '../../../src/rules/match/pattern.ts'
import type { Format } from '../../../src/rules/places.ts'
import { shellEvent } from '../../support/plans.ts'

function call(name: string, agent: KnownAgent = 'claude-code'): HookEvent {
  return { ...shellEvent, agent, tool: { kind: toolKind(agent, name), name, input: {} } }
}

function triggered(name: EventName, trigger: string | undefined): HookEvent {
  const { tool: _action, ...rest } = shellEvent
  return { ...rest, name, ...(trigger !== undefined && { trigger }) }
}

function matches(text: string | undefined, event: HookEvent, format: Format = 'hookgate'): boolean {
  const matcher = compileMatcher(text, [event.name], format, 'claude-code')
  if (matcher.kind === 'refused') throw new Error(matcher.message)
  return matcherMatches(matcher, event, 'claude-code')
}

function refusal(text: string, event: EventName = 'PreToolUse') {
  const matcher = compileMatcher(text, [event], 'hookgate', 'claude-code')
  return matcher.kind === 'refused' ? `${matcher.message}; ${matcher.remedy}` : undefined
}

describe('a matcher on a tool event', () => {
  it.each([undefined, '', '*'])('that is %j matches every tool', (text) => {
    expect(matches(text, call('Bash'))).toBe(true)
    expect(matches(text, call('mcp__notes__write'))).toBe(true)
  })

  it.each([' Bash ', 'Edit | Bash', 'Edit,Bash', 'Edit||Bash', 'Bash', 'Write, Bash'])(
    'that is the list %j matches Bash',
    (text) => {
      expect(matches(text, call('Bash'))).toBe(true)
      expect(matches(text, call('Read'))).toBe(false)
    },
  )

  it('that is a name matches no tool whose name only contains it', () => {
    expect(matches('Edit', call('NotebookEdit'))).toBe(false)
    expect(matches('Ba', call('Bash'))).toBe(false)
  })

  it('with any other character is a regular expression that may match anywhere in the name', () => {
    expect(matches('Ba.*', call('Bash'))).toBe(true)
    expect(matches('Edit.*', call('NotebookEdit'))).toBe(true)
    expect(matches('^Edit', call('NotebookEdit'))).toBe(false)
    expect(matches('mcp__.*__(write|edit|create|update).*', call('mcp__notes__write_note'))).toBe(true)
    expect(matches('mcp__notes__.*', call('mcp__notes__write_note'))).toBe(true)
  })

  it('treats a hyphen as part of a name', () => {
    expect(matches('mcp__my-notes__read-all', call('mcp__my-notes__read-all'))).toBe(true)
    expect(matches('mcp__my-notes__read-all', call('mcp__my-notes__read-all-of-it'))).toBe(false)
  })

  it.each(['Bash', 'bash', 'shell', 'execute_command', 'Bash|Write'])(
    'that names %j matches the shell of every agent',
    (text) => {
      expect(matches(text, call('Bash'))).toBe(true)
      expect(matches(text, call('execute_command', 'cline'))).toBe(true)
      expect(matches(text, call('read_file', 'cline'))).toBe(false)
    },
  )

  it('that excludes a tool excludes it by all its names', () => {
    expect(matches('^(?!Bash$)', call('Bash'))).toBe(false)
    expect(matches('^(?!Bash$)', call('execute_command', 'cline'))).toBe(false)
    expect(matches('^(?!Bash$)', call('Write'))).toBe(true)
    expect(matches('^(?!Bash$)', call('write_to_file', 'cline'))).toBe(true)
    expect(matches('^(?!Bash)Edit', call('Edit'))).toBe(true)
  })

  it.each(['^[^B]', '^[C-Z]', '^[^B].*$', '^([AC-Z]|[^A-Z])', '^.{5,}$', '[^h]$', '^(?:(?!Bash).)*$', '^\\w{5,}$'])(
    'that leaves a tool out leaves it out by all its names, however it is written: %s',
    (pattern) => {
      expect(matches(pattern, call('Bash'))).toBe(false)
      expect(matches(pattern, call('execute_command', 'cline'))).toBe(false)
      expect(matches(pattern, call('Write'))).toBe(true)
      expect(matches(pattern, call('write_to_file', 'cline'))).toBe(true)
    },
  )

  it.each(['Bash|Edit', '^Ba', 'B.sh', '^(?:Bash|Zed)$', 'mcp__.*|Bash', '^B'])(
    'that names a tool matches it by all its names: %s',
    (pattern) => {
      expect(matches(pattern, call('execute_command', 'cline'))).toBe(true)
    },
  )

  it('matches, as a regular expression, what is longer than any name, since it cannot be ruled out', () => {
    const long = `mcp__notes__${'x'.repeat(limits.matcherSubjectCharactersMax)}`
    expect(matches('^nothing.*like_it$', call(long))).toBe(true)
    expect(matches('nothing', call(long))).toBe(false)
  })

  it('that is a list of names matches exactly those names, whatever they are', () => {
    // `Ls` is a known name in other letters, which matches nothing, with a warning.
    const inSmall = new Set([...knownToolNames].map((one) => one.toLowerCase()))
    // Of an unknown agent, so that they have one spelling.
    const name = fc
      .stringMatching(/^[A-Z][a-zA-Z0-9_-]{0,12}$/)
      .filter((one) => !inSmall.has(one.toLowerCase()) && refusal(one) === undefined)
    const names = fc.uniqueArray(name, { minLength: 2, maxLength: 7 })
    fc.assert(
      fc.property(names, fc.constantFrom('|', ',', ' | ', ', '), ([other = '', ...listed], separator) => {
        const text = listed.join(separator)
        expect(listed.map((one) => matches(text, call(one)))).toEqual(listed.map(() => true))
        expect(matches(text, call(other))).toBe(false)
      }),
    )
  })
})

describe('a matcher on other events', () => {
  it('is matched against the event’s trigger', () => {
    expect(matches('startup|resume', triggered('SessionStart', 'resume'))).toBe(true)
    expect(matches('startup', triggered('SessionStart', 'resume'))).toBe(false)
    expect(matches('idle_prompt', triggered('Notification', 'permission_prompt'))).toBe(false)
    expect(matches('git.*', triggered('Elicitation', 'github'))).toBe(true)
  })

  it('is ignored where the event has no trigger', () => {
    expect(matches('anything', triggered('Stop', undefined))).toBe(true)
    expect(matches('startup', triggered('SessionStart', undefined))).toBe(true)
    expect(matches('anything', { ...triggered('UserPromptSubmit', 'sdk'), prompt: 'x' })).toBe(true)
  })

  it.each(['FileChanged', 'StopFailure'] as const)('at %s is names only without blank, comma and hyphen', (event) => {
    expect(matches('a-b', triggered(event, 'xa-by'))).toBe(true)
    expect(matches('a,b', triggered(event, 'b'))).toBe(false)
    expect(matches('rate_limit|overloaded', triggered(event, 'overloaded'))).toBe(true)
    expect(matches('rate', triggered(event, 'rate_limit'))).toBe(false)
  })

  it('that is `auto` matches all session starts and ends in a plugin, and is a value everywhere else', () => {
    expect(matches('auto', triggered('SessionStart', 'startup'), 'plugin')).toBe(true)
    expect(matches('auto', triggered('SessionEnd', 'logout'), 'plugin')).toBe(true)
    expect(matches('auto', triggered('PreCompact', 'manual'), 'plugin')).toBe(false)
    expect(matches('auto', triggered('PreCompact', 'auto'), 'plugin')).toBe(true)
    expect(matches('auto', triggered('SessionStart', 'startup'), 'hookgate')).toBe(false)
  })
})

/** What is said of a matcher in an agent's file, and whether it matches nothing. */
function said(text: string, agent: KnownAgent = 'claude-code', format: Format = 'settings') {
  const matcher = compileMatcher(text, ['PreToolUse'], format, agent)
  if (matcher.kind === 'refused') throw new Error(matcher.message)
  const warnings = matcherWarnings(text, ['PreToolUse'], format, agent)
  return {
    isDead: matchesNothing(matcher),
    texts: warnings.map(({ message, remedy }) => (remedy === undefined ? message : `${message}; ${remedy}`)),
  }
}

describe('a matcher that no tool can match', () => {
  it.each([
    ['tool == "Bash" && tool_input.command matches "git push"', /`"matcher": "Bash"`; .* into `if`/],
    ['tool == "Edit"|tool == "Write"', /`"matcher": "Edit\|Write"`/],
    ['tool_name: Bash', /`"matcher": "Bash"`/],
    ['/^Bash$/', /write `"matcher": "Bash"`$/],
    ['/Edit|Write/i', /`"matcher": "Edit\|Write"`/],
    ['"Bash"', /`"matcher": "Bash"`/],
    ['Bash && Edit', /`"matcher": "Bash\|Edit"`/],
    ['Bash;Edit', /`"matcher": "Bash\|Edit"`/],
    ['Bash command', /`"matcher": "Bash"`/],
    ['Edit or Write', /`"matcher": "Edit\|Write"`/],
    ['!Bash', /`"matcher": "Bash"`/],
    ['Bash\\s+git', /`"matcher": "Bash"`/],
    ['git commit', /`"matcher": "Bash"` and `"if": "Bash\(git commit \*\)"`/],
    ['npm run deploy', /`"if": "Bash\(npm run \*\)"`/],
    ['mcp:github:*', /`mcp__github__\.\*`/],
    ['mcp/github/create', /`mcp__github__\.\*`/],
    ['MCP: memory', /`mcp__memory__\.\*`/],
    ['*.py', /`"matcher": "Edit\|Write"`, and `"if": "Edit\(\*\.py\)"`/],
    ['**/*.ts', /`"if": "Edit\(\*\*\/\*\.ts\)"`/],
    ['src/.*', /`"matcher": "Edit\|Write"`/],
    ['(?i)bash', /not a regular expression.*no inline flags/],
    ['[', /not a regular expression/],
    ['Bash(', /not a regular expression.*`"matcher": "Bash"`/],
    ['|', /names nothing.*write `\*`/],
    [' , ', /names nothing/],
    ['Bash(touch *)', /permission rule.*put the rule into `if`/],
    ['Bash(ls)', /permission rule/],
    ['Edit(*.ts)', /permission rule/],
    ['Read(.env)', /permission rule/],
    ['mcp__memory', /`mcp__memory` is a server, not a tool; write `mcp__memory__\.\*`/],
    ['BASH', /there is no tool `BASH`; write `Bash`/],
    ['^bAsh$', /there is no tool `bAsh`; write `Bash`/],
    ['View', /there is no tool `View`; write `Read`/],
    ['Execute_Command', /there is no tool `Execute_Command`; write `Bash`/],
    ['Fetch', /there is no tool `Fetch`; write `WebFetch`/],
  ])('%j is of no names, and said to match nothing, with what to write', (text, message) => {
    const { isDead, texts } = said(text)
    expect(texts).toEqual([expect.stringMatching(message)])
    expect(isDead).toBe(true)
    expect([...knownToolNames].filter((name) => matches(text, call(name), 'settings'))).toEqual([])
  })

  it.each([
    ['Read|View', 'there is no tool `View`; write `Read`'],
    ['Read|Fetch', 'there is no tool `Fetch`; write `WebFetch`'],
    ['Edit|WRITE', 'there is no tool `WRITE`; write `Write`'],
    ['Bash|mcp__memory__', '`mcp__memory__` is a server, not a tool; write `mcp__memory__.*`'],
    ['Edit|git commit', 'no tool is called `git commit`'],
    ['Bash|mcp:github:.*', 'no tool has a name like `mcp:github:.*`'],
    ['^(Read|View)$', 'there is no tool `View`'],
    ['tool == "Edit" || tool == "Write"', 'no tool has a name like `tool == "Edit" `'],
    ['mcp__memory__.*|/Write/', 'no tool has a name like `/Write/`'],
  ])('in one of its alternatives loads, with a warning for that: %j', (text, message) => {
    const { isDead, texts } = said(text)
    expect(texts[0]).toContain(message)
    expect(isDead).toBe(false)
  })

  it('is compared with the names of the agent that it was written for', () => {
    expect(said('view|Bash', 'copilot-cli').texts).toEqual([])
    expect(said('Read_File', 'gemini-cli').texts).toEqual(['there is no tool `Read_File`; write `read_file`'])
    expect(said('View', 'gemini-cli').texts).toEqual(['there is no tool `View`; write `read_file`'])
    expect(said('Execute_Command', 'cline', 'cline').texts).toEqual([
      'there is no tool `Execute_Command`; write `execute_command`',
    ])
    expect(said('Execute_Command', 'claude-code', 'hookgate').texts).toEqual([
      'there is no tool `Execute_Command`; write `execute_command`',
    ])
  })

  it('is none that names a tool of any agent, or tools of an MCP server', () => {
    const names = [...knownToolNames, ...[...knownToolNames].map((name) => `^${name}$`)]
    const servers = [
      'mcp__.*',
      'mcp__github__.*',
      '^mcp',
      'mcp_.*',
      'mcp__my server__.*',
      'mcp__a/b__get:x',
      'mcp__db-\\d+__query',
    ]
    for (const text of [...names, ...servers, 'my_tool', 'acme.*', 'Bash:*', '[^B].*', '(?!Bash)'])
      expect([text, said(text).isDead]).toEqual([text, false])
    for (const text of names) expect([text, said(text).texts]).toEqual([text, []])
  })
})

describe('a matcher that would take too long is refused', () => {
  it.each([
    ['(a+)+$', /could take very long to match/],
    ['(?:a|b)*c', /could take very long to match/],
    ['.*.*.*.*x', /could take very long to match/],
    [`${'x'.repeat(limits.matcherCharactersMax)}x`, /longer than 4096 characters/],
  ])('%j', (text, message) => {
    expect(refusal(text)).toMatch(message)
  })

  it.each([
    'Task(Create|Update)',
    'shell',
    'edit',
    'TaskCreate',
    'my_tool',
    'Notebook(Edit)?',
    '^(Bash|Edit)$',
    'mcp__.*github.*__.*create.*',
    '(?:ab){3}',
    '[a-z]*',
    '\\w+__\\w+',
    '(a|b){2}',
    'a{2}{',
  ])('but not %j', (text) => {
    expect(refusal(text)).toBeUndefined()
  })

  it('but not a value that a newer agent may send, which gets a warning', () => {
    expect(refusal('warmup', 'SessionStart')).toBeUndefined()
    expect(matcherWarnings('startup|warmup', ['SessionStart'], 'hookgate', 'claude-code')).toEqual([
      {
        message: 'no known agent sends `warmup` at SessionStart',
        remedy: 'known are `startup`, `resume`, `clear`, `compact`, `fork`',
      },
    ])
  })

  it('and one on an event without matchers gets a warning too', () => {
    expect(matcherWarnings('Bash', ['Stop'], 'hookgate', 'claude-code')).toMatchObject([
      { message: 'Stop has no matcher: `Bash` is ignored' },
    ])
    expect(matcherWarnings('*', ['Stop'], 'hookgate', 'claude-code')).toEqual([])
    expect(matcherWarnings('Bash', ['PreToolUse'], 'hookgate', 'claude-code')).toEqual([])
  })
})

describe('a matcher that is likely to be misspelt', () => {
  const warnings = (text: string) => {
    return matcherWarnings(text, ['PreToolUse'], 'hookgate', 'claude-code').map(({ message, remedy }) => ({
      message,
      remedy,
    }))
  }

  it.each([
    ['Wirte', 'Wirte', 'Write'],
    ['Bash|Edti', 'Edti', 'Edit'],
    ['exceute_command', 'exceute_command', 'execute_command'],
  ])('%j is warned about, name by name', (text, name, meant) => {
    expect(warnings(text)).toEqual([
      { message: `there is no known tool \`${name}\``, remedy: `did you mean \`${meant}\`?` },
    ])
  })

  it.each(['Write.*\\.ts', 'Bsah.*'])('%j is warned about as a pattern', (text) => {
    expect(warnings(text)).toMatchObject([{ message: `no known tool matches \`${text}\`` }])
  })

  it.each([
    'Bash',
    'TaskCreate',
    'my_tool',
    'mcp__github__push',
    'mcp__.*',
    '^Write$',
    'Notebook.*',
    'edit',
    '(?!Bash)',
    '.*',
  ])('is not %j', (text) => {
    expect(warnings(text)).toEqual([])
  })

  it('is searched for in bounded time', () => {
    expect(warnings('.*.*.*!')).toEqual([])
  })
})

describe('the cost of a regular expression', () => {
  it.each([
    ['Bash', 1],
    ['a|b|c', 3],
    ['a*', 11],
    ['a*b*', 121],
    ['a+?', 10],
    ['a?b?', 4],
    ['a{2,4}', 3],
    ['a{5}', 1],
    ['[)(*]', 1],
    ['\\(\\*', 1],
    ['(?<name>a|b)(?=c?)', 4],
    ['(?:a*)*', Infinity],
    ['(?:a|b){3}', 8],
    ['()*', 11],
  ])('%j matches ten characters in %d ways', (pattern, ways) => {
    expect(waysToMatch(pattern, 10)).toBe(ways)
  })

  it('of an accepted one is bounded on the longest name', () => {
    const slowest = compileMatcher('.*.*.*x|.*.*.*y|.*.*.*z|.*.*.*q', ['PreToolUse'], 'hookgate', 'claude-code')
    const name = 'a'.repeat(limits.matcherSubjectCharactersMax)
    if (slowest.kind === 'refused') throw new Error(slowest.message)
    // The test's own time limit is the assertion.
    expect(matcherMatches(slowest, call(name), 'claude-code')).toBe(false)
  })
})
