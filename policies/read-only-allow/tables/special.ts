import { type Call, type Judge, isKnown } from '../call.ts'
import { optionsOf } from '../table.ts'
import { pythonModule } from './enter.ts'
import { declaresPlainly, isPlainVariable } from '../variables.ts'

const without =
  (...refused: readonly string[]): Judge =>
  ({ args }) =>
    !args.some((word) => refused.some((one) => word.value === `-${one}` || word.value === `--${one}`))

/** openssl: showing certificates and asking servers for theirs. Keys are not printed. */
const openssl: Judge = (call) => {
  const [verb = '', ...rest] = call.args.map((word) => word.value)
  if (
    !isKnown(call) ||
    rest.some((word) =>
      /^--?(out|keyout|writerand|signkey|key|CA.*|set_serial|x509toreq|req|new|newkey|engine|provider.*|config|passout|sess_out|keylogfile|msgfile|proxy_pass)$/.test(
        word,
      ),
    )
  )
    return false
  switch (verb) {
    case 'version':
    case 'ciphers':
    case 'list':
    case 'help':
      return without('engine')(call)
    case 'x509':
      return rest.includes('-noout')
    case 's_client':
      return call.command?.stdin === undefined
        ? call.isFed !== true &&
            call.command?.redirections.some(
              ({ operator, target }) => operator === '<' && target?.value !== '/dev/null',
            ) !== true
        : call.command.stdin.unresolved !== true
    default:
      return false
  }
}

const fzfValued =
  'f filter q query n nth d delimiter with-nth tiebreak bind height min-height layout border margin padding info prompt pointer marker header header-lines color preview preview-window expect jump-labels tabstop history history-size walker walker-root walker-skip scheme algo'.split(
    ' ',
  )

/** Actions of fzf that run a command, and the one that lists what a command prints. */
const reloads = () => /\breload(-sync)?\(([^()]*)\)/g
const running =
  /\b(execute|execute-silent|execute-multi|become|reload|reload-sync|transform[\w-]*|preview|bg-[\w-]+|print-command|change-preview)\s*[([{<~!@#$%^&*;|/:+]/

/** fzf: choosing, with previews that only show. */
const fzf =
  (judgeText: (text: string) => boolean): Judge =>
  (call) => {
    const words = call.args.map((word) => word.value)
    const { names } = optionsOf(call.args, fzfValued, {})
    if (!isKnown(call) || names.some((name) => /^(listen-.*|history)$/.test(name))) return false
    const valuesOf = (option: string) =>
      words.flatMap((word, at) =>
        word === option ? [words[at + 1] ?? ''] : word.startsWith(`${option}=`) ? [word.slice(option.length + 1)] : [],
      )
    return (
      valuesOf('--preview').every((text) => judgeText(text.replace(/^execute\s+/, ''))) &&
      valuesOf('--bind').every(
        (bind) =>
          !running.test(bind.replace(reloads(), '')) &&
          [...bind.matchAll(reloads())].every(([, , text = '']) => judgeText(text)),
      ) &&
      valuesOf('--with-shell').length === 0
    )
  }

/** rtk shortens what another program prints: called by that one's name, or behind `proxy`. */
function rtk({ args }: Call, judgeText: (text: string) => boolean): boolean {
  const words = args.map((word) => word.value)
  const own = words[0] === 'proxy' ? words.slice(1) : words
  if (words.length === 1 && /^(gain|discover|--help|--version)$/.test(words[0] ?? '')) return true
  return (
    /^(ls|tree|find|grep|git|gh|docker|kubectl|cat|wc|head|tail|pwd)$/.test(own[0] ?? '') &&
    own.every((word) => /^[\w./-]+$/.test(word)) &&
    judgeText(own.join(' '))
  )
}

/** Lines that become the value of variables: of those that tell no program what to do. `-C` calls something. */
const readsInto: Judge = (call) => {
  const { names } = optionsOf(call.args, ['a', 'd', 'i', 'n', 'N', 'p', 't', 'u', 'O', 's'], {})
  return (
    isKnown(call) &&
    names.every((name) => /^[ersadinNptuOs]$/.test(name)) &&
    call.args.every((word) => !/^\w+$/.test(word.value) || isPlainVariable(word.value))
  )
}

/** ps: every listing but that of the variables that processes were started with. */
const ps: Judge = ({ args }) =>
  args.every(({ value, unresolved }, at) => {
    const isValue = args[at - 1]?.value.startsWith('-') === true
    if (value.startsWith('-')) return value.startsWith('--') || !/^-\w*E/.test(value)
    return isValue || unresolved === true || !/^[a-z]*e[a-z]*$/i.test(value)
  })

/** Programs with a way of their own to be harmless. */
export function special(program: string, judgeText: (text: string) => boolean): Judge | undefined {
  if (/^python[\d.]*$/.test(program)) return (call) => pythonModule(call, judgeText)
  switch (program) {
    case 'ps':
      return ps
    case 'openssl':
      return openssl
    case 'fzf':
    case 'sk':
      return fzf(judgeText)
    case 'networksetup':
      return ({ args }) =>
        /^-(get|list|is|show|version$|help$|printcommands$)/.test(args[0]?.value ?? '') &&
        !args.slice(1).some((word) => word.value.startsWith('-'))
    case 'rtk':
      return (call) => rtk(call, judgeText)
    case 'export':
    case 'declare':
    case 'typeset':
    case 'local':
    case 'readonly':
      return ({ args }) => declaresPlainly(args)
    case 'unset':
      return (call) => isKnown(call) && call.args.every(({ value }) => value === '-v' || isPlainVariable(value))
    case 'read':
    case 'mapfile':
    case 'readarray':
      return readsInto
    case 'tee':
      return ({ args }) =>
        args.every((word) => word.unresolved !== true && /^(-[aip]+|\/dev\/(null|stdout|stderr|tty))$/.test(word.value))
    case 'printenv':
      return ({ args }) =>
        args.length > 0 &&
        args.every((word) => word.unresolved !== true && !/secret|token|key|pass|cred|auth/i.test(word.value))
    default:
      return undefined
  }
}
