import {
  never,
  vitalFolder,
  systemFolder,
  work,
  recursive,
  folder,
  deletion,
  isOfListing,
  systemPaths,
  accessOfSystem,
} from './windows.ts'
import type { Family } from '../program.ts'
import type { ShellWord } from '../../../model/shell.ts'
import { http } from './http.ts'
import { inFolder, changed, known } from '../words.ts'
import type { CommandView, Line, Row } from '../row.ts'

/** Parameters that take a value and name no file. */
const options = `value encoding filter include exclude itemtype type name delimiter first head last tail totalcount stream
  credential erroraction ea depth algorithm pattern property inputobject width +recurse +force`

const path = /^-(?:p|pa|pat|path|pspath|lit\w*|lp|filep\w*)$/
const destination = /^-(?:des\w*|newn\w*)$/

/**
 * Writes parameters in small letters, and what is named by one as an operand in its place: PowerShell takes the path first
 * and the destination last, whether they are named or not.
 */
function withoutNames({ args }: CommandView): readonly ShellWord[] {
  const words = args.flatMap((word): readonly ShellWord[] => {
    const [, name = '', joined] = /^(-[A-Za-z]+)(?::(.*))?$/s.exec(word.value) ?? []
    if (name === '') return [word]
    return [known(name.toLowerCase()), ...(joined === undefined ? [] : [changed(word, joined)])]
  })
  const paths: ShellWord[] = []
  const rest: ShellWord[] = []
  const last: ShellWord[] = []
  for (let at = 0; at < words.length; at++) {
    const [word = known(''), next] = words.slice(at, at + 2)
    const isPath = path.test(word.value)
    if (next === undefined || !(isPath || destination.test(word.value))) rest.push(word)
    else {
      ;(isPath ? paths : last).push(next)
      at++
    }
  }
  return [...paths, ...rest, ...last]
}

const cmdlet = (row: Row): Row => ({ options, words: withoutNames, oneDash: true, ...row })

/** PowerShell's cmdlets that work on files, by their names and by aliases that no other program has. */
export const cmdlets: Family = {
  rows: { saysWhatStarts: true },
  programs: {
    'get-content gc import-csv import-clixml import-powershelldatafile format-hex': cmdlet({
      output: 'form',
      operands: 'read',
    }),
    'get-filehash': cmdlet({ output: 'counts', operands: 'read' }),
    'select-string': cmdlet({ output: 'matches', first: 'none', firstUnless: 'pattern', operands: 'read' }),
    'get-childitem gci': cmdlet({ operands: 'names', otherwise: ['.', 'names'] }),
    'test-path get-item gi get-itemproperty gp get-acl resolve-path rvpa convert-path': cmdlet({
      operands: 'names',
    }),
    'join-path split-path write-output write-host write-verbose write-warning measure-object': cmdlet({
      operands: 'none',
    }),
    'clear-content': {
      ...cmdlet({
        first: 'write',
        how: () => ({ change: 'emptied' }),
      }),
      does: { area: 'windows', kind: 'delete', object: 'what is in', thing: 'data', names: 'first', work: [''] },
    },
    'set-content add-content clc out-file tee-object export-csv export-clixml set-item': cmdlet({
      first: 'write',
    }),
    'new-item ni': cmdlet({
      first: 'write',
      effects(line, recorder) {
        const name = line.value('name')
        if (name !== undefined) recorder.touch(inFolder(line.operands[0], name), 'write')
      },
    }),
    'invoke-expression': cmdlet({ runsStdin: true }),
    'copy-item cpi compress-archive': cmdlet({
      output: 'files',
      operands: 'read',
      last: 'write',
      recursive: 'recurse',
    }),
    'expand-archive': cmdlet({ operands: 'read', last: 'into' }),
    'move-item mi': cmdlet({ operands: 'move', last: 'write' }),
    'rename-item rni': cmdlet({
      operands: 'move',
      last: 'none',
      effects: (line, recorder) => recorder.touch(renamed(line), 'write'),
    }),
    // Not all below it: a shell that is not PowerShell's own takes backslashes out of `.\\dist`, so it may be another folder.
    'remove-item ri': {
      ...cmdlet({ operands: 'delete' }),
      does: {
        area: 'windows',
        also: [
          never(vitalFolder, systemFolder),
          work(recursive, folder),
          { ...deletion, object: 'every file that is listed, in all folders', work: [''], when: isOfListing },
        ],
      },
    },
    'invoke-restmethod irm invoke-webrequest iwr': cmdlet({
      options:
        'uri method body infile=read outfile=write headers form contenttype useragent proxy timeoutsec websession sessionvariable authentication token credential certificate certificatethumbprint maximumredirection maximumretrycount retryintervalsec +usebasicparsing +skipcertificatecheck +passthru +usedefaultcredentials',
      network(line) {
        const sends =
          line.has('body', 'infile', 'form') || /^(?:post|put|patch)$/i.test(line.value('method')?.value ?? '')
        return http(sends ? 'both' : 'receive', line.value('uri') ?? line.operands[0])
      },
    }),
    'set-acl': { ...cmdlet({ first: 'mode' }), does: { area: 'windows', ...never(systemPaths, accessOfSystem) } },
    'set-itemproperty clear-itemproperty': cmdlet({ first: 'mode' }),
  },
}

/** The new name of `Rename-Item` is in the folder of the old one. */
function renamed({ operands: [from, name] }: Line): ShellWord | undefined {
  if (from === undefined || name === undefined) return undefined
  return inFolder(changed(from, /^(?:.*[\\/])?/s.exec(from.value)?.[0] ?? ''), name)
}
