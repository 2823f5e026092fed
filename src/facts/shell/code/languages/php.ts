import type { Language } from '../language.ts'
import { bracedCode, firstOf, variableIn } from '../tokens.ts'
import { text } from '../values.ts'

const code = firstOf(
  (source, at) => (source.startsWith('{$', at) ? bracedCode('{')(source, at) : undefined),
  variableIn(/\$[A-Za-z_]\w*(?:\[[^\]]{0,128}\]|->\w+)?/y),
)

export const php: Language = {
  heredocs: { open: /<<<[ \t]?(?<quote>["']?)(?<name>[A-Za-z_]\w*)\k<quote>/g, goesOn: true },
  blank: /\s+|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|#(?!\[)[^\n]*|<\?(?:php\b|=)?|\?>[\s\S]*?(?:<\?(?:php\b|=)?|$)/y,
  name: /\$?[A-Za-z_\\][\w\\]*/y,
  strings: [
    { open: /(?<mark>')/y, escapes: 'quote' },
    { open: /(?<mark>")/y, code },
    { open: /(?<mark>`)/y, code, quoted: 'command' },
  ],
  concat: ['.'],
  members: ['->', '::', '?->'],
  environment: '$_SERVER $_ENV',
  parameters: { name: '$argv', skips: 1 },
  constants: { __DIR__: text('.'), DIRECTORY_SEPARATOR: text('/') },
  calls: {
    deletes: 'unlink rmdir',
    moves: 'rename',
    copies: 'copy symlink',
    links: 'link',
    writes: 'file_put_contents touch mkdir',
    writesSecond: 'move_uploaded_file',
    marks: 'chmod chown chgrp',
    opens: 'fopen SplFileObject file_get_contents readfile file include require',
    binds: 'stream_socket_server socket_bind React\\Socket\\UnixServer React\\Socket\\SocketServer Swoole\\Server',
    scripts: 'exec shell_exec system passthru popen proc_open',
    startsProgram: 'pcntl_exec',
    evaluates: 'eval',
    evaluatesLast: 'create_function',
    connects: 'curl_init fsockopen pfsockopen stream_socket_client',
    decodesBase64: 'base64_decode',
    decodes: 'gzinflate gzuncompress str_rot13 hex2bin',
    joinsBy: 'implode',
    variable: 'getenv',
    here: 'getcwd',
    matchesFiles: 'glob',
    listsNames: 'scandir',
    applies: 'call_user_func call_user_func_array array_map',
    returnsFirst: 'trim escapeshellarg realpath',
  },
  canonical: (name) => name.replace(/^\\/, ''),
}
