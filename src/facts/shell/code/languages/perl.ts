import type { Language } from '../language.ts'
import {
  beginsOperand,
  type CodeToken,
  firstOf,
  type Interpolation,
  isMark,
  isName,
  slashes,
  variableIn,
  markOf,
  nameOf,
} from '../tokens.ts'

/** Interpolates `@{[ … ]}`. */
const blockInText: Interpolation = (source, at) => {
  const close = source.startsWith('@{[', at) ? source.indexOf(']}', at + 3) : -1
  return close === -1 ? undefined : { code: source.slice(at + 3, close), end: close + 2 }
}

/** Interpolates a variable with the subscripts after it: `$name`, `${name}`, `$ENV{HOME}`, `$x->{y}`. */
const variableInText: Interpolation = (source, at) => {
  const found = variableIn(/[$@]\{\s*\w+\s*\}|[$@](?:\w|::(?=\w))+/y)(source, at)
  if (found === undefined) return undefined
  let { end } = found
  if (found.code.includes('{')) return { code: found.code.replaceAll(/[{}\s]/g, ''), end }
  for (;;) {
    const open = source.startsWith('->', end) ? end + 2 : end
    const close = { '[': ']', '{': '}' }[source.charAt(open)]
    const behind = close === undefined ? -1 : source.indexOf(close, open + 1)
    if (behind === -1) return { code: source.slice(at, end), end }
    end = behind + 1
  }
}

const code = firstOf(blockInText, variableInText)

const isVariableOrKey = (previous: CodeToken | undefined): boolean => previous?.text === '->' || previous?.text === '{'
/** Matches quote operators such as `q` and `s`, but not hash keys: `$h{s}`, `s => 1`. */
const quote = (operator: string): RegExp =>
  new RegExp(String.raw`(?<![\w$@%&>{])(?:${operator})\s*(?<mark>[^\s\w,;=)#]|(?<=\s)[^\s\w,;=)#])`, 'y')
const notKey = (previous: CodeToken | undefined): boolean => !isVariableOrKey(previous)
/** Tells whether `<` begins a glob, as in `unlink <*.log>`: after a bare name it is no comparison. */
const beginsGlob = (previous: CodeToken | undefined): boolean =>
  beginsOperand(previous) || (previous?.kind === 'name' && /^\w/.test(previous.text))

/** Writes a walk over folders, `find(sub { … }, 'a')`, as the loop over its files that it is. */
function withWalks(given: readonly CodeToken[]): readonly CodeToken[] {
  const tokens = [...given]
  for (let [at, left] = [tokens.length - 1, walksMax]; at >= 0 && left > 0; at--) {
    if (!isName(tokens[at], 'find', 'finddepth', 'File::Find::find', 'File::Find::finddepth')) continue
    let open = at + 1
    while (isMark(tokens[open], '(', '{', '=>') || isName(tokens[open], 'wanted')) open++
    if (!isName(tokens[open], 'sub') || !isMark(tokens[open + 1], '{')) continue
    const close = closeOf(tokens, open + 1)
    let start = close + 1
    while (isMark(tokens[start], ',', '}')) start++
    let end = start
    while (end < tokens.length && !isMark(tokens[end], ';', ')', '}')) end++
    const body = tokens
      .slice(open + 1, close + 1)
      .map((token) => (token.text === '$File::Find::name' ? nameOf('$_', token) : token))
    if (start === end) continue
    left--
    const walked = [nameOf('File::Find::entries'), markOf('('), ...tokens.slice(start, end), markOf(')')]
    tokens.splice(
      at,
      end - at,
      nameOf('foreach', tokens[at]),
      nameOf('$_'),
      markOf('('),
      ...walked,
      markOf(')'),
      ...body,
      markOf(';'),
    )
  }
  return tokens
}

/** Further walks of one text are not followed. */
const walksMax = 16

/** Returns the place of the bracket that closes the one at a place. */
function closeOf(tokens: readonly CodeToken[], from: number): number {
  let depth = 0
  for (let at = from; at < tokens.length; at++) {
    if (isMark(tokens[at], '{')) depth++
    else if (isMark(tokens[at], '}') && --depth === 0) return at
  }
  return tokens.length
}

export const perl: Language = {
  prepared: withWalks,
  heredocs: { open: /<<~?(?:(?<quote>)|\s?(?<quote>["'`]))(?<name>\w+)\k<quote>/g },
  blank: /[^\S\n]+|(?:^|\n)=[a-z]\w*\b[\s\S]*?(?:\n=cut\b[^\n]*|$)|\n|#[^\n]*|\b__(?:END|DATA)__\b[\s\S]*/y,
  name: /[$@%&]\${0,2}(?:\w|::(?=\w))+|\$[!@&_,;./\\0]|[A-Za-z_](?:\w|::(?=\w))*/y,
  strings: [
    { open: /(?<mark>')/y, escapes: 'quote' },
    { open: /(?<mark>")/y, code },
    { open: /(?<mark>`)/y, code, quoted: 'command' },
    // `s///e` evaluates the replacement as code.
    {
      open: /(?<![\w$@%&>{])s([/|!~,#])(?:\\.|(?!\1)[^\\\n])*\1(?<code>(?:\\.|(?!\1)[^\\\n])*)\1[a-df-z]*e[a-z]*/y,
      quoted: 'pattern',
      behind: notKey,
    },
    {
      open: /(?<![\w$@%&>{])(?:s|tr|y)([/|!~,#])(?:\\.|(?!\1)[^\\\n])*\1(?:\\.|(?!\1)[^\\\n])*\1[a-z]*/y,
      quoted: 'pattern',
      behind: notKey,
    },
    { open: quote('q'), escapes: 'quote', behind: notKey },
    { open: quote('qq'), code, behind: notKey },
    { open: quote('qx'), code, quoted: 'command', behind: notKey },
    { open: quote('qw'), escapes: 'quote', quoted: 'words', behind: notKey },
    { open: quote('qr|m|s|tr|y'), quoted: 'pattern', behind: notKey },
    { open: /<(?=[^<>\s=]*[*?./~])(?<text>[^<>\s=]*)>/y, behind: beginsGlob },
    slashes,
  ],
  concat: ['.'],
  members: ['->'],
  bareCalls: 'any',
  braceIndex: true,
  environment: '$ENV',
  parameters: { name: '@ARGV', skips: 0 },
  topic: { name: '$_', calls: /(?:^|::)(?:unlink|rmdir|eval|mkdir|readpipe)$/ },
  calls: {
    deletes: 'unlink rmdir CORE::unlink POSIX::unlink',
    deletesTree: 'rmtree remove_tree File::Path::rmtree File::Path::remove_tree',
    moves: 'rename move File::Copy::move',
    copies: 'copy File::Copy::copy symlink',
    links: 'link',
    writes: 'truncate mkdir make_path write_file',
    reads: 'read_file',
    marks: 'chmod chown utime',
    perlOpens: 'open',
    sysopens: 'sysopen',
    binds: 'bind IO::Socket::UNIX IO::Socket::UNIX.new',
    starts: 'system exec CORE::system CORE::exec',
    scripts: 'readpipe',
    startsBehindHandles: 'open2 open3',
    evaluates: 'eval',
    connects: 'get getprint LWP::Simple::get socket',
    downloads: 'getstore',
    decodesBase64: 'decode_base64 MIME::Base64::decode_base64 MIME::Base64::decode',
    decodesByFirst: 'pack unpack',
    joinsBy: 'join',
    joinsPaths: 'path Path::Tiny::path catfile catdir',
    matchesFiles: 'glob bsd_glob',
    listsFolder: 'File::Find::entries',
    returnsFirst: 'sockaddr_un pack_sockaddr_un Socket::sockaddr_un Socket::pack_sockaddr_un',
  },
  methods: { deletes: 'remove', deletesTree: 'remove_tree', writes: 'spew spew_utf8 append', reads: 'slurp' },
}
