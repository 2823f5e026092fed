import { codeStage } from '../deeds/deeds.ts'
import { manager } from '../deeds/packages.ts'
import type { KnownProgram } from '../program.ts'
import type { Row } from '../row.ts'
import { known, looksLikePath } from '../words.ts'
import { servesByName } from './network.ts'
import { startsIn } from './other-languages.ts'

const goVerb: Row = {
  options: 'C mod modfile ldflags gcflags tags o p exec toolexec',
  wholeNames: true,
  oneDash: true,
}

/** The tool of Go, which also runs programs of modules. */
export const go: KnownProgram = {
  shared: true,
  options: 'C=names o=write mod modfile=read ldflags gcflags tags p run count timeout exec=words toolexec=words',
  wholeNames: true,
  oneDash: true,
  subcommands: {
    'get, install, env': goVerb,
    run: {
      ...goVerb,
      operandsLast: true,
      starts({ operands: [first, ...others] }, starts) {
        const name = /([\w.-]+?)(?:\/v\d+)?@[^/]*$/.exec(first?.value ?? '')?.[1]
        if (name !== undefined) starts.words([known(name), ...others])
      },
    },
    tool: {
      operandsLast: true,
      starts: ({ operands }, starts) => {
        if (starts.areProgram(operands)) starts.words(operands)
      },
    },
  },
  starts(line, starts) {
    for (const file of line.operands.slice(1)) {
      const code = file.value.startsWith('/dev/fd/') ? starts.content(file) : undefined
      if (code !== undefined) startsIn(code.value, starts)
    }
  },
  network: servesByName,
  effects(line, recorder) {
    const [verb, ...rest] = line.operands
    if (verb === undefined) return
    const role = verb.value === 'run' ? 'execute' : 'read'
    for (const word of rest) if (looksLikePath(word.value) || word.value.endsWith('.go')) recorder.touch(word, role)
  },
  does: [
    { area: 'packages', ...manager({ installs: ['get|install'], runs: ['run'], configures: ['env -w'] }) },
    codeStage,
  ],
  looks: {
    oneDash: true,
    options: 'C',
    never: '--toolexec|--exec|--modfile|--overlay|--vettool',
    lines: `
  version|list|doc|help|vet
  env !-w|-u
  mod graph|verify|why|download
  work edit --json|--print
  tool ..0
  tool nm|objdump|dist !-o
  tool cover --func|-h !-o|--mode|--html
  build|install|clean -n !=
  telemetry ..0`,
  },
}
