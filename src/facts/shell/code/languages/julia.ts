import type { Language } from '../language.ts'
import { bracedCode, firstOf, variableIn } from '../tokens.ts'

const code = firstOf(bracedCode('$('), variableIn(/\$(?<name>[A-Za-z_]\w*)/y))

export const julia: Language = {
  blank: /\s+|#=[\s\S]*?(?:=#|$)|#[^\n]*/y,
  name: /[A-Za-z_]\w*!?/y,
  strings: [
    { open: /(?:raw|r|b)(?<mark>"""|")/y, escapes: 'quote' },
    { open: /(?<mark>"""|")/y, code },
    // Backquotes only make a command object; `run` starts it.
    { open: /(?<mark>`)/y, escapes: 'quote', code },
  ],
  concat: ['*'],
  members: ['.'],
  lines: true,
  environment: 'ENV',
  parameters: { name: 'ARGS', skips: 0 },
  calls: {
    deletes: 'rm Base.rm',
    moves: 'mv',
    copies: 'cp symlink',
    links: 'hardlink',
    writes: 'write touch mkdir mkpath truncate',
    reads: 'readlines read',
    marks: 'chmod chown',
    opens: 'open',
    binds: 'listen Sockets.listen',
    scripts: 'run readchomp Base.run',
    evaluates: 'eval',
    evaluatesLast: 'include_string',
    connects: 'connect HTTP.get HTTP.post HTTP.request',
    downloads: 'download Downloads.download',
    decodesBase64: 'base64decode Base64.base64decode',
    joinsTexts: 'string',
    joinsPaths: 'joinpath',
    expandsHome: 'expanduser',
    home: 'homedir',
    here: 'pwd',
    listsNames: 'readdir',
    returnsFirst: 'String abspath Meta.parse pipeline',
  },
}
