import { describe, expect, it } from 'vitest'
import type { OpenRequest } from '../../../../src/model/approval.ts'
import { desktopCommand } from '../../../../src/service/server/channels.ts'

const request = (subject: string): OpenRequest => ({
  id: 'k3x7qd',
  openedAtMs: 0,
  endsAtMs: 1,
  agent: 'codex',
  session: 's',
  project: '/p',
  event: 'PreToolUse',
  toolName: 'Bash',
  subject,
  commands: [],
  decision: 'ask',
  rules: [],
  call: 'c',
  waiting: 1,
})

describe('a notification of the desktop', () => {
  it('says what waits and with which command one answers; markup and options in it are text', () => {
    const words = desktopCommand(request('--urgency=low <b>&'), 'linux')
    expect(words).toEqual([
      'notify-send',
      '--app-name=hookgate',
      '--',
      'Codex waits for you',
      'Bash: --urgency=low &lt;b&gt;&amp;\nhookgate approvals approve k3x7qd',
    ])
  })

  it('is no script on macOS, whatever the command says', () => {
    const words = desktopCommand(request('" & (do shell script "id") & "'), 'darwin') ?? []
    expect(words.slice(0, 7).join(' ')).not.toContain('do shell')
    expect(words.at(-1)).toContain('do shell script')
  })

  it('is none where the system has no such program', () => {
    expect(desktopCommand(request('x'), 'win32')).toBeUndefined()
  })
})
