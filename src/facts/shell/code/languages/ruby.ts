import type { Language } from '../language.ts'
import { beginsOperand, bracedCode, slashes } from '../strings.ts'
import type { Token } from '../token.ts'

const code = bracedCode('#{')
const beginsQuote = (previous: Token | undefined): boolean => beginsOperand(previous) || previous?.kind === 'name'

const each = (modules: string, names: string): string =>
  modules
    .split(' ')
    .flatMap((module) => names.split(' ').map((name) => `${module}.${name}`))
    .join(' ')

export const ruby: Language = {
  blank: /[^\S\n]+|\n=begin\b[\s\S]*?(?:\n=end\b[^\n]*|$)|\n|#[^\n]*|\\\n|__END__[\s\S]*/y,
  name: /@{0,2}[A-Za-z_]\w*[?!]?(?!=[^=~>])|@{0,2}[A-Za-z_]\w*|\$\w+/y,
  strings: [
    { open: /(?<mark>')/y, escapes: 'quote' },
    { open: /(?<mark>")/y, code },
    { open: /(?<mark>`)/y, code, quoted: 'command' },
    { open: /(?<!:):(?<text>[A-Za-z_]\w*[?!]?)/y, behind: (previous) => previous?.text !== '?' },
    { open: /%[qs](?<mark>[^\s\w=])/y, escapes: 'quote', behind: beginsQuote },
    { open: /%Q?(?<mark>[([{<|!/])/y, code, behind: beginsOperand },
    { open: /%Q(?<mark>[^\s\w=])/y, code, behind: beginsQuote },
    { open: /%x(?<mark>[^\s\w=])/y, code, quoted: 'command', behind: beginsQuote },
    { open: /%r(?<mark>[^\s\w=])/y, quoted: 'pattern', behind: beginsQuote },
    { open: /%[wWiI](?<mark>[^\s\w=])/y, escapes: 'quote', quoted: 'words', behind: beginsQuote },
    slashes,
  ],
  concat: ['+'],
  members: ['.', '::', '&.'],
  bareCalls: 'any',
  lines: true,
  environment: 'ENV',
  parameters: { name: 'ARGV', skips: 0 },
  calls: {
    deletes: `${each('FileUtils', 'rm rm_f remove remove_file safe_unlink rmdir')} ${each('File', 'delete unlink')}
      ${each('Dir', 'rmdir delete unlink')}`,
    deletesTree: each('FileUtils', 'rm_r rm_rf rmtree remove_dir remove_entry remove_entry_secure'),
    moves: `${each('FileUtils', 'mv move')} File.rename`,
    copies: `${each('FileUtils', 'cp copy cp_r copy_file install ln_s ln_sf')} File.symlink`,
    links: 'FileUtils.ln File.link',
    writes: `${each('File IO', 'write binwrite truncate')} Dir.mkdir`,
    writesAll: each('FileUtils', 'touch mkdir mkdir_p'),
    reads: `${each('File IO', 'read binread readlines foreach')} load`,
    marks: `${each('FileUtils', 'chmod chmod_R chown chown_R')} ${each('File', 'chmod chown')}`,
    opens: 'open Kernel.open File.open File.new IO.sysopen',
    starts: `system exec spawn ${each('Kernel Object Process', 'system exec spawn')} IO.popen PTY.spawn
      ${each('Open3', 'capture2 capture2e capture3 popen2 popen2e popen3 pipeline')}`,
    evaluates: 'eval instance_eval class_eval Kernel.eval',
    connects: `URI.open ${each('Net.HTTP', 'get get_response post post_form start new')} TCPSocket.new TCPSocket.open
      UDPSocket.new HTTParty.get RestClient.get RestClient.post Faraday.get`,
    decodesBase64: each('Base64', 'decode64 strict_decode64 urlsafe_decode64'),
    joinsPaths: 'File.join Pathname Pathname.new',
    expandsHome: 'File.expand_path',
    home: 'Dir.home',
    here: 'Dir.pwd',
    matchesFiles: 'Dir.glob',
    listsNames: each('Dir', 'children entries each_child'),
    variable: 'ENV.fetch',
    applies: each('Kernel Object File FileUtils Dir', 'send __send__ public_send').concat(' send __send__ public_send'),
    returnsFirst: 'File.absolute_path File.realpath Shellwords.escape',
  },
  methods: {
    deletes: 'unlink rmdir delete',
    deletesTree: 'rmtree',
    joinsListBy: 'join',
    decodesBySecond: 'unpack unpack1',
    listsFolder: 'children',
    returnsFirst: 'each map select reject sort first to_s strip chomp freeze',
  },
}
