import { recognise } from '../../../../src/facts/shell/start/code.ts'
import type { CodeLanguage, ShellWord } from '../../../../src/model/shell.ts'

/** Lists the findings in code: `delete /etc`, `script rm -rf /`, `words rm -rf /`, `does network`; `?` is unknown. */
export function recognised(language: CodeLanguage, text: string): readonly string[] {
  const plain = (word: ShellWord): string => word.value.replaceAll('\uFDD0', '?')
  const found = recognise(language, text, { home: '/home/u', parameters: [{ value: '/first' }] })
  return [
    ...found.paths.map(
      ({ written, access, recursive, metadata }) =>
        `${access}${recursive === true ? ' all of' : ''}${metadata === true ? ' entry' : ''} ${plain(written)}`,
    ),
    ...found.starts.map((start) => {
      if (start.kind === 'words') return `words ${start.words.map(plain).join(' ')}`
      return start.kind === 'script' ? `script ${plain(start.text)}` : `${start.language} ${plain(start.text)}`
    }),
    ...found.does.filter((one) => one !== 'starts').map((one) => `does ${one}`),
    ...found.leftOut.map((one) => `left out ${one}`),
  ]
}
