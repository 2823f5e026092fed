import type { Family } from '../program.ts'
import { type Judge, type ProgramCall, isKnown, readLook } from '../looks/look.ts'
import { names } from '../words.ts'

/** Options of curl with a value. Only these and `curlFlags` are known to send and write nothing. */
const curlValued = `A user-agent H header b cookie e referer m max-time connect-timeout r range x proxy u user U proxy-user
  w write-out z time-cond X request y Y speed-time speed-limit retry retry-delay retry-max-time max-redirs resolve connect-to
  interface limit-rate cacert capath E cert cert-type key key-type pass ciphers tls-max tls13-ciphers dns-servers doh-url
  noproxy proto proto-redir proto-default url max-filesize C keepalive-time local-port continue-at o output P t unix-socket
  abstract-unix-socket socks4 socks4a socks5 socks5-hostname preproxy proxy-header oauth2-bearer service-name krb
  happy-eyeballs-timeout-ms expect100-timeout dns-interface dns-ipv4-addr dns-ipv6-addr aws-sigv4 delegation crlfile
  pinnedpubkey curves rate parallel-max login-options sasl-authzid request-target url-query ftp-account
  ftp-alternative-to-user ftp-method ftp-ssl-ccc-mode ftp-port keepalive-cnt ipfs-gateway hostpubmd5 hostpubsha256
  netrc-file etag-compare egd-file random-file ech telnet-option tftp-blksize tlsauthtype tlspassword tlsuser proxy-cacert
  proxy-capath proxy-cert proxy-cert-type proxy-ciphers proxy-crlfile proxy-key proxy-key-type proxy-pass
  proxy-pinnedpubkey proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype proxy-tlspassword proxy-tlsuser proxy1.0
  pubkey socks5-gssapi-service vlan-priority trace-config haproxy-clientip ip-tos Q quote`
const curlFlags: ReadonlySet<string> = new Set(
  names(`s silent S show-error J remote-header-name L location location-trusted I head i include k insecure v verbose f fail
  fail-with-body fail-early g globoff G get 0 http1.0 http1.1 http2 http2-prior-knowledge http3 http3-only 1 2 3 tlsv1
  tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 sslv2 sslv3 4 ipv4 6 ipv6 n netrc netrc-optional compressed tr-encoding raw N no-buffer
  no-keepalive no-progress-meter progress-bar j junk-session-cookies q disable basic digest ntlm negotiate anyauth ssl
  ssl-reqd ssl-no-revoke ssl-revoke-best-effort ssl-allow-beast ssl-auto-client-cert tcp-nodelay tcp-fastopen no-alpn
  no-npn no-sessionid path-as-is post301 post302 post303 retry-all-errors retry-connrefused styled-output
  no-styled-output Z parallel parallel-immediate proxy-anyauth proxy-basic proxy-digest proxy-insecure proxy-negotiate
  proxy-ntlm p proxytunnel suppress-connect-headers list-only l B use-ascii ignore-content-length disable-epsv
  disable-eprt ftp-pasv ftp-skip-pasv-ip ftp-ssl-control cert-status doh-insecure show-headers false-start h help V
  version M manual sasl-ir crlf remove-on-error next : ca-native proxy-ca-native disallow-username-in-url http0.9 mptcp
  trace-time trace-ids no-location no-fail a append R remote-time compressed-ssh doh-cert-status expect100 ftp-pret
  ftp-ssl ftp-ssl-ccc ftp-ssl-reqd mail-rcpt-allowfails no-clobber no-eprt no-epsv ntlm-wb proxy-http2
  proxy-ssl-allow-beast proxy-ssl-auto-client-cert proxy-tlsv1 socks5-basic socks5-gssapi socks5-gssapi-nec ssl-sessions
  tftp-no-options tls-earlydata no-ssl no-compressed no-insecure no-tcp-nodelay no-netrc skip-existing`),
)

/** Addresses at which a cloud machine gets its own credentials. */
const handsOut =
  /169\.254\.169\.254|169\.254\.170\.2|metadata\.google|fd00:ec2|100\.100\.100\.200|\/\/metadata(?:[/:]|$)/i

/** Names of files that store nothing. */
const nowhere = /^(?:-|\/dev\/(?:null|stdout|stderr|fd\/[12]))$/

/** Options of curl whose value is sent. With `-G` it becomes a part of the address, which may contain any text. */
const sent = ['d', 'data', 'data-urlencode', 'data-raw', 'data-ascii', 'data-binary']
const curlOptions = `${curlValued} ${sent.join(' ')}`
const curlKnown: ReadonlySet<string> = new Set([...names(curlValued), ...curlFlags])

/** Commands for an FTP server that only look. */
const ftpLooks = /^[-+*]?(?:cdup|cwd|pwd|list|nlst|noop|stat|syst|help|feat|size|mdtm|type)\b/i

/** Options whose value may name a file that is read or written. */
const mayName = names('b cookie H header w write-out url-query proxy-header E cert key')
const namesFile = /^@|^\w*@\/|%output|^[\w.-]+@[^:]*$/

/** Judges curl: a download to stdout only looks; a call that sends something or writes a file does not. */
export const curl: Judge = (look) => {
  if (!isKnown(look)) return false
  const words = look.args.map(({ value }) => value)
  const { names: given, values } = readLook(look.args, curlOptions)
  // `-G` no longer applies behind `--next`.
  const asks = given.some((name) => /^(?:G|get)$/.test(name)) && !given.some((name) => /^(?:next|:)$/.test(name))
  const all = (options: readonly string[], isFine: (value: string) => boolean) =>
    values(...options).every(({ value }) => isFine(value))
  return (
    given.every((name) => curlKnown.has(name) || (asks && sent.includes(name))) &&
    all(['o', 'output'], (file) => nowhere.test(file)) &&
    all(sent, (value) => !value.includes('@')) &&
    all(['X', 'request'], (method) => /^(?:get|head|options)$/i.test(method)) &&
    all(['Q', 'quote'], (command) => ftpLooks.test(command)) &&
    all(mayName, (value) => !namesFile.test(value)) &&
    // Metadata services hand out the machine's credentials.
    !words.some((word) => handsOut.test(word)) &&
    !words.some((word) =>
      /^(?:file|gopher|dict|smtps?|scp|sftp|telnet|tftp|ldaps?|mqtts?|smbs?|imaps?|pop3s?):/i.test(word),
    )
  )
}

/** Options of wget that send something, write a file, start a program or read settings. */
const wgetRefused = names(
  'post-data post-file method body-data body-file use-askpass execute config output-file append-output input-file load-cookies save-cookies warc-file background ask-password hsts-file mirror recursive rejected-log timestamping output-document directory-prefix delete-after page-requisites continue',
)

const isNotForWget = (name: string): boolean =>
  /^[eaoibPBmrNpKOcxk]$/.test(name) || (name.length > 1 && wgetRefused.some((one) => one.startsWith(name)))

/** Harmless options of a download to stdout. */
const wgetShows: ReadonlySet<string> = new Set(
  names(
    'q quiet nv no-verbose O output-document S server-response T timeout t tries U user-agent header no-check-certificate 4 6 max-redirect no-cache no-hsts no-proxy compression connect-timeout read-timeout dns-timeout no-config show-progress',
  ),
)

/** True for `wget -qO- …`, which prints a page and writes no file. `-nv` is one option of two letters. */
function isShown({ args }: ProgramCall): boolean {
  const words = args.map((word) => (word.value === '-nv' ? { value: '--no-verbose' } : word))
  const { names: given, values } = readLook(
    words,
    'O output-document T timeout t tries U user-agent header max-redirect',
  )
  const files = values('O', 'output-document')
  return (
    given.every((name) => wgetShows.has(name)) &&
    files.length > 0 &&
    files.every(({ value }) => nowhere.test(value)) &&
    !words.some(({ value }) => /^(?:file|ftps?):/i.test(value) || handsOut.test(value))
  )
}

/** Judges wget: it only looks with `--spider`, or if it prints a page. */
export const wget: Judge = (look) => {
  if (!isKnown(look)) return false
  const { names: given } = readLook(look.args, 'T t U w Q')
  return isShown(look) || (given.includes('spider') && !given.some(isNotForWget))
}

const ipObjects = names(
  'address link route rule neighbour neighbor maddress mroute netns tunnel tuntap monitor stats token xfrm macsec vrf addrlabel ntable netconf sr tcp_metrics tcpmetrics l2tp mptcp ila fou ioam nexthop help',
)

/** Judges `ip`, whose objects and commands may be abbreviated. An object without a command is shown. */
export const ip: Judge = (look) => {
  const { names: given, operands } = readLook(look.args, 'f family n netns rc rcvbuf l loops', true)
  if (!isKnown(look) || given.some((name) => /^(?:b|ba|bat|batc|batch|force|a|all)$/.test(name))) return false
  const words =
    operands[0] === undefined ? [] : look.args.slice(look.args.indexOf(operands[0])).map(({ value }) => value)
  const [object = '', verb, thing] = words
  if (object === '') return true
  const whole = ipObjects.find((one) => one.startsWith(object.toLowerCase()))
  if (whole === undefined) return false
  if (whole === 'monitor' || whole === 'help') return !words.includes('file')
  if (verb === undefined) return true
  if (whole === 'netns')
    return /^(?:list|list-id|identify|pids|monitor|show|help)$/.test(verb) || 'list'.startsWith(verb)
  if (whole === 'xfrm')
    return /^(?:state|policy|monitor)$/.test(verb) && (thing === undefined || /^(?:list|show|get|count)$/.test(thing))
  if (whole === 'stats') return 'show'.startsWith(verb)
  // `ip link s` sets.
  return verb !== 's' && verb !== '' && ['show', 'list', 'lst', 'get', 'help'].some((one) => one.startsWith(verb))
}

/** Judges `ifconfig`: the name of an interface alone shows it; a further word changes it. */
export const ifconfig: Judge = (look) => {
  const words = look.args.map(({ value }) => value)
  return (
    isKnown(look) &&
    words.filter((word) => !word.startsWith('-')).length <= 1 &&
    words.every((word) => !word.startsWith('-') || /^-[aslvmLruC]+$/.test(word))
  )
}

/** Options of openssl with which it writes, makes or uses a key, or reads settings. */
const opensslActs =
  /^(?:out|keyout|writerand|signkey|key|CA.*|set_serial|x509toreq|req|new|newkey|engine|provider.*|config|passout|sess_out|keylogfile|msgfile|proxy_pass)$/

/** Judges openssl: it only looks if it shows a certificate or asks a server for one. Printing a key is no look. */
export const openssl: Judge = (look) => {
  const { args, command, isFed } = look
  const { names: given, operands } = readLook(args, '', true)
  if (!isKnown(look) || given.some((name) => opensslActs.test(name))) return false
  switch (operands[0] === args[0] ? (operands[0]?.value ?? '') : '') {
    case 'version':
    case 'ciphers':
    case 'list':
    case 'help':
      return true
    case 'x509':
      return given.includes('noout')
    case 's_client':
      if (command?.stdin !== undefined) return command.stdin.unresolved !== true
      return (
        isFed !== true &&
        command?.redirections.some(({ operator, target }) => operator === '<' && target?.value !== '/dev/null') !== true
      )
    default:
      return false
  }
}

const networksetup: Judge = ({ args }) =>
  /^-(?:get|list|is|show|version$|help$|printcommands$)/.test(args[0]?.value ?? '') &&
  !args.slice(1).some(({ value }) => value.startsWith('-'))

/** Programs that send requests, or show settings of the network. */
export const network: Family = {
  programs: {
    networksetup: { looks: networksetup },
  },
}
