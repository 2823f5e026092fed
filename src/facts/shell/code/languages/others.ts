import type { Language } from '../language.ts'

export const lua: Language = {
  blank: /\s+|--\[(=*)\[[\s\S]*?(?:\]\1\]|$)|--[^\n]*/y,
  name: /[A-Za-z_]\w*/y,
  strings: [
    { open: /(?<mark>['"])/y },
    { open: /(?<mark>\[(?<level>=*)\[)\n?/y, close: ({ groups }) => `]${groups?.['level'] ?? ''}]`, escapes: 'none' },
  ],
  concat: ['..'],
  members: ['.', ':'],
  bareCalls: /^['"[]/,
  lines: true,
  calls: {
    deletes: 'os.remove lfs.rmdir posix.unlink vim.uv.fs_unlink vim.fn.delete',
    moves: 'os.rename',
    writes: 'io.output lfs.mkdir',
    writesSecond: 'vim.fn.writefile',
    reads: 'io.lines io.input dofile',
    opens: 'io.open',
    binds: 'vim.fn.serverstart',
    scripts: 'os.execute io.popen',
    starts: 'vim.fn.system vim.fn.systemlist vim.system posix.exec',
    evaluates: 'load loadstring',
    connects: 'socket.http.request socket.connect socket.tcp',
    variable: 'os.getenv',
    module: 'require',
  },
  methodsOfAny: { binds: 'bind pipe_bind' },
  canonical: (name) => name.replace(/^_G\./, ''),
}
