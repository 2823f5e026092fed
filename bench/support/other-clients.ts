import { accessSync, constants, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Addresses of the gate, for every kind of client in the bench. */
export interface Address {
  readonly folder: string
  readonly socket: string
  readonly port: number
  readonly tokenFile: string
}

export interface OtherClient {
  readonly name: string
  /** The program it needs. It is measured only if PATH has it. */
  readonly program: string
  /** Why hookgate does not install this client. */
  readonly lacks: string
  readonly script: (program: string, to: Address) => string
}

const request = 'POST /v1/hook/cline HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n'

/** Reads the event into a variable to get its length. Limitation: a shell variable cannot hold NUL. */
const throughPipe = (connect: (program: string, to: Address) => string) => (program: string, to: Address) =>
  `#!/bin/sh
event=$(cat; echo .)
event=\${event%.}
printf '${request}Content-Length: %d\\r\\n\\r\\n%s' "\${#event}" "$event" | ${connect(program, to)} | {
  while IFS= read -r line && [ "\${#line}" -gt 1 ]; do :; done
  cat
}
`

export const otherClients: readonly OtherClient[] = [
  {
    name: 'sh and `nc -U`',
    program: 'nc.openbsd',
    lacks: 'loses NUL bytes, needs four processes',
    script: throughPipe((nc, { socket }) => `${nc} -U ${socket}`),
  },
  {
    name: 'sh and socat',
    program: 'socat',
    lacks: 'loses NUL bytes, needs four processes',
    script: throughPipe((socat, { socket }) => `${socat} - UNIX-CONNECT:${socket}`),
  },
  {
    name: 'curl, the body alone',
    program: 'curl',
    lacks: 'a second answer needs the event again, so a file; two streams and a code need more processes',
    script: (curl, { socket }) => `#!/bin/sh
exec ${curl} -q -s --unix-socket ${socket} --data-binary @- -H 'Content-Type: application/json' http://localhost/v1/hook/cline
`,
  },
  {
    name: 'bash and /dev/tcp',
    program: 'bash',
    lacks: 'loses NUL bytes; without a gate, any process on its port gets the token and may allow',
    script: (bash, { port, tokenFile }) => `#!${bash} -p
LC_ALL=C
IFS= read -r -d '' event
IFS= read -r token <${tokenFile}
exec 3<>/dev/tcp/127.0.0.1/${port}
printf '${request}Authorization: Bearer %s\\r\\nContent-Length: %d\\r\\n\\r\\n%s' "$token" "\${#event}" "$event" >&3
while IFS= read -r line <&3 && [[ \${#line} -gt 1 ]]; do
  [[ \${line,,} == content-length:* ]] && length=\${line//[^0-9]/}
done
IFS= read -r -N "$length" body <&3
printf %s "$body"
`,
  },
]

/** Finds a program on the PATH; `undefined` if it is missing. */
export function programIn(name: string): string | undefined {
  const files = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name))
  return files.find((file) => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

export function executable(file: string, text: string): string {
  writeFileSync(file, text, { mode: 0o700 })
  return file
}
