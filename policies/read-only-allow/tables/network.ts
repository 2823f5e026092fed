import { setOf } from 'hookgate/policy'
import { type Call, type Judge, has, isKnown } from '../call.ts'
import { optionsOf } from '../table.ts'

/** Options of curl with a value. Only these and `curlFlags` are known to send and write nothing. */
const curlValued =
  setOf(`A user-agent H header b cookie e referer m max-time connect-timeout r range x proxy u user U proxy-user w write-out z time-cond
 X request y Y speed-time speed-limit retry retry-delay retry-max-time max-redirs resolve connect-to interface limit-rate
 cacert capath E cert cert-type key key-type pass ciphers tls-max tls13-ciphers dns-servers doh-url noproxy proto proto-redir
 proto-default url max-filesize C keepalive-time local-port C continue-at o output P t unix-socket abstract-unix-socket
 socks4 socks4a socks5 socks5-hostname preproxy proxy-header oauth2-bearer service-name krb happy-eyeballs-timeout-ms
 expect100-timeout dns-interface dns-ipv4-addr dns-ipv6-addr aws-sigv4 delegation crlfile pinnedpubkey curves rate
 parallel-max login-options sasl-authzid request-target url-query ftp-account ftp-alternative-to-user ftp-method ftp-ssl-ccc-mode ftp-port keepalive-cnt ipfs-gateway
 hostpubmd5 hostpubsha256 max-redirs netrc-file etag-compare egd-file random-file ech telnet-option tftp-blksize tlsauthtype
 tlspassword tlsuser proxy-cacert proxy-capath proxy-cert proxy-cert-type proxy-ciphers proxy-crlfile proxy-key proxy-key-type
 proxy-pass proxy-pinnedpubkey proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype proxy-tlspassword proxy-tlsuser
 proxy1.0 pubkey socks5-gssapi-service vlan-priority trace-config haproxy-clientip ip-tos Q quote`)
const curlFlags =
  setOf(`s silent S show-error J remote-header-name L location location-trusted I head i include k insecure v verbose f fail fail-with-body fail-early
 g globoff G get 0 http1.0 http1.1 http2 http2-prior-knowledge http3 http3-only 1 2 3 tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 sslv2 sslv3 4 ipv4 6 ipv6
 n netrc netrc-optional compressed tr-encoding raw N no-buffer no-keepalive no-progress-meter progress-bar j junk-session-cookies
 q disable basic digest ntlm negotiate anyauth ssl ssl-reqd ssl-no-revoke ssl-revoke-best-effort ssl-allow-beast ssl-auto-client-cert
 tcp-nodelay tcp-fastopen no-alpn no-npn no-sessionid path-as-is post301 post302 post303 retry-all-errors retry-connrefused
 styled-output no-styled-output Z parallel parallel-immediate proxy-anyauth proxy-basic proxy-digest proxy-insecure proxy-negotiate
 proxy-ntlm p proxytunnel suppress-connect-headers list-only l B use-ascii ignore-content-length disable-epsv disable-eprt
 ftp-pasv ftp-skip-pasv-ip ftp-ssl-control cert-status doh-insecure show-headers false-start h help V version M manual
 sasl-ir crlf remove-on-error next : ca-native proxy-ca-native disallow-username-in-url http0.9 mptcp M trace-time trace-ids no-location no-fail a append R remote-time compressed-ssh doh-cert-status expect100 ftp-pret ftp-ssl ftp-ssl-ccc
 ftp-ssl-reqd haproxy-protocol mail-rcpt-allowfails no-clobber no-eprt no-epsv ntlm-wb proxy-ca-native proxy-http2 proxy-ssl-allow-beast
 proxy-ssl-auto-client-cert proxy-tlsv1 proxy-header socks5-basic socks5-gssapi socks5-gssapi-nec ssl-sessions tftp-no-options
 tls-earlydata no-ssl no-compressed no-insecure no-keepalive no-sessionid no-tcp-nodelay no-netrc skip-existing`)

/** Addresses at which a cloud machine gets its own credentials. */
const handsOut = /169\.254\.169\.254|169\.254\.170\.2|metadata\.google|fd00:ec2|100\.100\.100\.200/i

/** Writes that leave nothing behind. */
const nowhere = /^(-|\/dev\/(null|stdout|stderr|fd\/[12]))$/

/** curl: a download that is shown. What is sent, and what is written to a file, is not known to be harmless. */
export const curl: Judge = (call) => {
  const { args } = call
  if (!isKnown(call)) return false
  const words = args.map((word) => word.value)
  const options = optionsOf(args, curlValued.members, {})
  // With `-G` what is sent stands in the address, where it may stand anyhow. Behind `--next` that is over.
  const asks =
    (options.names.includes('G') || options.names.includes('get')) &&
    !options.names.some((name) => /^(next|:)$/.test(name))
  const sent = ['d', 'data', 'data-urlencode', 'data-raw', 'data-ascii', 'data-binary']
  const known = (name: string) => curlValued.has(name) || curlFlags.has(name) || (asks && sent.includes(name))
  if (!options.names.every(known)) return false
  return (
    values(words, ['o', 'output']).every((file) => nowhere.test(file)) &&
    values(words, sent).every((value) => !value.includes('@')) &&
    values(words, ['X', 'request']).every((method) => /^(get|head|options)$/i.test(method)) &&
    // Commands for an FTP server: those that only look.
    values(words, ['Q', 'quote']).every((command) =>
      /^[-+*]?(cdup|cwd|pwd|list|nlst|noop|stat|syst|help|feat|size|mdtm|type)\b/i.test(command),
    ) &&
    values(words, [
      'b',
      'cookie',
      'H',
      'header',
      'w',
      'write-out',
      'url-query',
      'proxy-header',
      'E',
      'cert',
      'key',
      'K',
    ]).every((value) => !/^@|^\w*@\/|%output/.test(value) && !isReadFromFile(value)) &&
    // Metadata services hand out the machine's credentials.
    !words.some((word) => handsOut.test(word)) &&
    !words.some((word) =>
      /^(file|gopher|dict|smtps?|scp|sftp|telnet|tftp|ldaps?|mqtts?|smbs?|imaps?|pop3s?):/i.test(word),
    )
  )
}

const isReadFromFile = (value: string) => /^[\w.-]+@|^@/.test(value) && !value.includes(':')

/** All values of options, however they are written: `-o f`, `-of`, `-so f`, `--output f`, `--output=f`. */
function values(words: readonly string[], names: readonly string[]): readonly string[] {
  return words.flatMap((word, at) => {
    if (word.startsWith('--')) {
      const [name = '', ...rest] = word.slice(2).split('=')
      if (!names.includes(name)) return []
      return [rest.length > 0 ? rest.join('=') : (words[at + 1] ?? '')]
    }
    if (!word.startsWith('-') || word === '-') return []
    for (let letter = 1; letter < word.length; letter++) {
      const name = word.charAt(letter)
      if (names.includes(name)) return [word.slice(letter + 1) === '' ? (words[at + 1] ?? '') : word.slice(letter + 1)]
      if (curlValued.has(name)) return []
    }
    return []
  })
}

/** Options of wget that send, write, start, or read what it should do. */
const wgetNot =
  'post-data post-file method body-data body-file use-askpass execute config output-file append-output input-file load-cookies save-cookies warc-file background ask-password hsts-file mirror recursive rejected-log timestamping output-document directory-prefix delete-after page-requisites continue'

const isNotForWget = (name: string): boolean =>
  /^[eaoibPBmrNpKOcxk]$/.test(name) || (name.length > 1 && wgetNot.split(' ').some((one) => one.startsWith(name)))

/** Harmless options of a download to stdout. */
const wgetShows = ` q quiet nv no-verbose O output-document S server-response T timeout t tries U user-agent header
 no-check-certificate 4 6 max-redirect no-cache no-hsts no-proxy compression connect-timeout read-timeout dns-timeout
 no-config show-progress `
const wgetValued = ['O', 'output-document', 'T', 'timeout', 't', 'tries', 'U', 'user-agent', 'header', 'max-redirect']

/** `wget -qO- …`: a page that is shown, and kept in no file. `-nv` is an option of two letters. */
function isShown(call: Call): boolean {
  const args = call.args.map((word) => (word.value === '-nv' ? { value: '--no-verbose' } : word))
  const { names } = optionsOf(args, wgetValued, {})
  const words = args.map((word) => word.value)
  const files = words.flatMap((word, at) => {
    const [, short] = /^-[qS46]*O(.*)$/s.exec(word) ?? []
    if (short !== undefined) return [short === '' ? (words[at + 1] ?? '') : short]
    if (word === '--output-document') return [words[at + 1] ?? '']
    return word.startsWith('--output-document=') ? [word.slice('--output-document='.length)] : []
  })
  return (
    names.every((name) => has(wgetShows, name)) &&
    files.length > 0 &&
    files.length === names.filter((name) => name === 'O' || name === 'output-document').length &&
    files.every((file) => nowhere.test(file)) &&
    !words.some((word) => /^(?:file|ftps?):/i.test(word) || handsOut.test(word))
  )
}

/** wget: only where it looks, or what it shows. */
export const wget: Judge = (call) => {
  if (isKnown(call) && isShown(call)) return true
  const { names } = optionsOf(call.args, ['T', 't', 'U', 'w', 'Q'], {})
  return isKnown(call) && names.includes('spider') && !names.some(isNotForWget)
}

const ipObjects =
  'address link route rule neighbour neighbor maddress mroute netns tunnel tuntap monitor stats token xfrm macsec vrf addrlabel ntable netconf sr tcp_metrics tcpmetrics l2tp mptcp ila fou ioam nexthop help'

/** ip: what shows, by names that may be cut short. Without a command, an object is shown. */
export const ip: Judge = (call) => {
  if (!isKnown(call)) return false
  const words: string[] = []
  for (let at = 0; at < call.args.length; at++) {
    const value = call.args[at]?.value ?? ''
    if (words.length === 0 && value.startsWith('-')) {
      if (/^-(b|ba|bat|batc|batch|force|a|all)$/.test(value)) return false
      if (/^-(f|family|n|netns|rc|rcvbuf|l|loops)$/.test(value)) at++
      continue
    }
    words.push(value)
  }
  const [object = '', verb] = words
  if (object === '') return true
  const whole = ipObjects.split(' ').find((one) => one.startsWith(object.toLowerCase()))
  if (whole === undefined) return false
  if (whole === 'monitor' || whole === 'help') return !words.includes('file')
  if (verb === undefined) return true
  if (whole === 'netns') return /^(list|list-id|identify|pids|monitor|show|help)$/.test(verb) || 'list'.startsWith(verb)
  if (whole === 'xfrm')
    return /^(state|policy|monitor)$/.test(verb) && (words[2] === undefined || /^(list|show|get|count)$/.test(words[2]))
  if (whole === 'stats') return 'show'.startsWith(verb)
  // `ip link s` sets.
  return verb !== 's' && verb !== '' && ['show', 'list', 'lst', 'get', 'help'].some((one) => one.startsWith(verb))
}

/** ifconfig: what shows interfaces. An interface alone is shown; anything more changes it. */
export const ifconfig: Judge = (call) => {
  const words = call.args.map((word) => word.value)
  return (
    isKnown(call) &&
    words.filter((word) => !word.startsWith('-')).length <= 1 &&
    words.every((word) => !word.startsWith('-') || /^-[aslvmLruC]+$/.test(word))
  )
}
