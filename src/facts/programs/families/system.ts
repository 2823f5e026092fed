import { startApplyPatch, startPatch } from '../patches.ts'
import type { Family } from '../program.ts'
import { type Row, setup } from '../row.ts'

const patchRow: Row = {
  obeys: { looks: 'C', stdin: (words) => !words.some((word) => /^(?:-i|--input)/.test(word)) },
  options:
    'p strip i=read input=read o=write output=write d=names directory=names r=write reject-file=write B F fuzz V D z Y +dry-run +reverse',
  starts: startPatch,
  effects(line, recorder) {
    const [original, patch] = line.operands
    recorder.touch(patch, 'read')
    if (line.surely('dry-run')) return
    if (original !== undefined) recorder.touch(original, 'edit')
    else recorder.touch(line.value('d', 'directory') ?? { value: '.' }, 'into')
  },
}

/** Programs of the system without a family of their own: random names, set-up of shells, patches. */
export const system: Family = {
  programs: {
    uuidgen: { output: 'random', ignoresStdin: true, looks: true, prints: true },
    'pwgen apg': { output: 'random', ignoresStdin: true },

    keychain: { output: setup(/--eval\b/) },
    dircolors: { output: setup(/^/), operands: 'read' },
    lesspipe: { output: setup(/^$/), operands: 'read' },
    'zoxide starship atuin': { output: setup(/^init\b/) },
    thefuck: { output: setup(/^--alias\b/) },
    'register-python-argcomplete': { output: setup(/^[\w.-]+$/) },
    patch: { ...patchRow, looks: '--dry-run !-o|--output|-r' },
    gpatch: { ...patchRow },
    'apply_patch applypatch': { options: '+preserve-crlf', operands: 'none', starts: startApplyPatch },
    'bindfs encfs gocryptfs': { operands: 'names' },
    'envsubst gettext': { operands: 'none', looks: true, prints: true },
    'ts figlet toilet cowsay lolcat banner': { operands: 'none' },
    air: { options: 'c=read', operandsLast: true },
  },
}
