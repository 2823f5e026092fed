import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { enable } from '../../../src/install/index.ts'
import { placesFor, readRules } from '../../../src/rules/index.ts'
import { installUser } from '../../support/asker.ts'
import { testPolicies } from '../../support/sandbox.ts'
import { folderWith, rulesWith } from '../../support/workspace.ts'
import { missing } from '../../support/own-folder.ts'

async function read(files: Parameters<typeof folderWith>[0]) {
  const root = folderWith(files)
  const places = placesFor({ home: root, managedFolder: root, env: {}, cwd: root, trustWorkspace: true })
  return (await readRules(places, [root], testPolicies())).ruleSet
}

describe('a hook that calls hookgate itself', () => {
  it.each([
    '#!/bin/sh\nexec hookgate run --agent cline\n',
    '#!/usr/bin/env bash\n# Asks the gate.\nset -euo pipefail\n\nhookgate run --agent cline\n',
    '#!/bin/sh\nexec npx -y hookgate run --agent cline\n',
    '#!/bin/sh\nexec "/opt/tools/bin/hookgate" run --agent cline --timeout 5\n',
  ])('is not run as a hook of its own, and is noted: %j', async (script) => {
    const { rules, notes } = await read({ '.clinerules/hooks/PreToolUse': { script } })
    expect(rules).toEqual([])
    expect(notes).toEqual([expect.stringContaining('only calls hookgate')])
  })

  it('is noted once for each folder and file', async () => {
    const script = '#!/bin/sh\nexec hookgate run --agent cline\n'
    const { notes } = await read({
      '.clinerules/hooks/PreToolUse': { script },
      '.clinerules/hooks/PostToolUse': { script },
      '.cline/hooks/PreToolUse': { script },
    })
    expect(notes).toEqual([
      'user:.cline/hooks/PreToolUse only calls hookgate, so hookgate does not run it',
      'project:.clinerules/hooks has 2 hooks, but they only call hookgate, so hookgate does not run them',
    ])
  })

  it.each([
    ['a guard before it', '#!/bin/sh\nmy-guard || exit 2\nexec hookgate run --agent cline\n'],
    ['only a comment about it', '#!/bin/sh\n# try it with: hookgate run --agent cline\nmy-guard\n'],
    ['another command of it', '#!/bin/sh\nhookgate run-tests\n'],
    ['a guard behind its shell options', '#!/bin/sh\nset -e; my-guard\nexec hookgate run --agent cline\n'],
    ['rules of its own', '#!/bin/sh\nexec hookgate run --rules /etc/strict.json\n'],
    ['no rules but the managed ones', '#!/bin/sh\nexec hookgate run --no-discover\n'],
    ['a pipe into something', '#!/bin/sh\nhookgate run --agent cline | tee log\n'],
  ])('includes no hook with %s', async (_, script) => {
    expect((await read({ '.clinerules/hooks/PreToolUse': { script } })).rules).toHaveLength(1)
  })

  it.each([
    `${missing}/hookgate run\nexit 2`,
    'hookgate run $(exit 2) --rules /etc/strict.json',
    'hookgate run $(my-guard)',
    'hookgate run `my-guard`',
    'hookgate run <(my-guard)',
    'hookgate run > "$LOG"',
    'npx -y;exit${IFS}2; hookgate run',
    'hookgate run "--rules" strict.json',
  ])('includes no command that does more: %j', async (command) => {
    expect((await read({ '.hookgate/hooks.json': rulesWith('PreToolUse', command) })).rules).toHaveLength(1)
  })

  it('is skipped in a settings file, which has the agent’s own entry for it', async () => {
    const root = folderWith({
      '.claude/settings.json': rulesWith('PreToolUse', 'hookgate', { args: ['run', '--agent', 'claude-code'] }),
    })
    const places = placesFor({ explicit: [join(root, '.claude/settings.json')], discover: false, home: root, env: {} })
    expect((await readRules(places, [], testPolicies())).ruleSet).toMatchObject({ rules: [], notes: { length: 1 } })
  })

  it.each(['user', 'project'] as const)(
    'is skipped in what `enable` wrote for an agent, in the scope %s',
    async (scope) => {
      const user = installUser(scope)
      await enable('qwen-code', user.context)
      const explicit = [user.at('.qwen/settings.json')]
      const places = placesFor({ explicit, discover: false, home: user.folder, env: {} })
      const { rules, notes } = (await readRules(places, [], testPolicies())).ruleSet
      expect(rules).toEqual([])
      expect(notes).toEqual([
        expect.stringMatching(
          /^explicit:.*settings\.json has \d\d hooks, but they only call hookgate, so hookgate does not run them$/,
        ),
      ])
    },
  )
})
