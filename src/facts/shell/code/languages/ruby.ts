import { functionsOf, type Language } from '../language.ts'
import { beginsOperand, bracedCode, slashes, type CodeToken } from '../tokens.ts'

const code = bracedCode('#{')
const beginsQuote = (previous: CodeToken | undefined): boolean => beginsOperand(previous) || previous?.kind === 'name'

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
  heredocs: { open: /<<[~-]?(?<quote>["'`]?)(?<name>[A-Za-z_]\w*)\k<quote>/g },
  concat: ['+'],
  members: ['.', '::', '&.'],
  bareCalls: 'any',
  lines: true,
  environment: 'ENV',
  parameters: { name: 'ARGV', skips: 0 },
  calls: {
    deletes: `${functionsOf('FileUtils', 'rm rm_f remove remove_file safe_unlink rmdir')} ${functionsOf('File', 'delete unlink')}
      ${functionsOf('Dir', 'rmdir delete unlink')}`,
    deletesTree: functionsOf('FileUtils', 'rm_r rm_rf rmtree remove_dir remove_entry remove_entry_secure'),
    moves: `${functionsOf('FileUtils', 'mv move')} File.rename`,
    copies: `${functionsOf('FileUtils', 'cp copy cp_r copy_file install ln_s ln_sf')} File.symlink`,
    links: 'FileUtils.ln File.link',
    writes: `${functionsOf('File IO', 'write binwrite truncate')} Dir.mkdir`,
    writesAll: functionsOf('FileUtils', 'touch mkdir mkdir_p'),
    reads: `${functionsOf('File IO', 'read binread readlines foreach')} load`,
    marks: `${functionsOf('FileUtils', 'chmod chmod_R chown chown_R')} ${functionsOf('File', 'chmod chown')}`,
    opens: 'open Kernel.open File.open File.new IO.sysopen',
    binds: 'UNIXServer.new UNIXServer.open Socket.unix_server_socket Socket.unix_server_loop',
    starts: `system exec spawn ${functionsOf('Kernel Object Process', 'system exec spawn')} IO.popen PTY.spawn
      ${functionsOf('Open3', 'capture2 capture2e capture3 popen2 popen2e popen3 pipeline')}`,
    evaluates: 'eval instance_eval class_eval Kernel.eval',
    connects: `URI.open ${functionsOf('Net.HTTP', 'get get_response post post_form start new')} TCPSocket.new TCPSocket.open
      UDPSocket.new HTTParty.get RestClient.get RestClient.post Faraday.get`,
    decodesBase64: functionsOf('Base64', 'decode64 strict_decode64 urlsafe_decode64'),
    joinsPaths: 'File.join Pathname Pathname.new',
    expandsHome: 'File.expand_path',
    home: 'Dir.home',
    here: 'Dir.pwd',
    matchesFiles: 'Dir.glob',
    listsNames: functionsOf('Dir', 'children entries each_child'),
    variable: 'ENV.fetch',
    applies: functionsOf('Kernel Object File FileUtils Dir', 'send __send__ public_send').concat(
      ' send __send__ public_send',
    ),
    returnsFirst: `URI URI.parse File.absolute_path File.realpath Shellwords.escape Socket.sockaddr_un Socket.pack_sockaddr_un
      Addrinfo.unix`,
  },
  methodsOfAny: { binds: 'bind listen' },
  methods: {
    deletes: 'unlink rmdir delete',
    deletesTree: 'rmtree',
    joinsListBy: 'join',
    decodesBySecond: 'unpack unpack1',
    listsFolder: 'children',
    returnsFirst: 'each map select reject sort first to_s strip chomp freeze',
  },
}
