/** Variables of the environment that change what programs do, and values of them that do not. */
import type { ShellAssignment, ShellWord } from '../../../model/shell.ts'

/** Variables that make programs behave in another way: where they look, what they load, what they start. */
const telling =
  /^(path|cdpath|ifs|env|shell|shellopts|bashopts|home|tmpdir|prompt_command|ps[0-4]|browser|editor|visual|pager|lessopen|lessclose|less|wgetrc|term_program|terminfo|globignore|fpath|manpath|gconv_path|locpath|nlspath|hostaliases|hookgate_.*|resolv_host_conf|malloc_.*|glibc_.*|perl.*|python.*|ruby.*|rubyopt|node_.*|npm_.*|yarn_.*|pnpm_.*|bun_.*|deno_.*|php.*|java_.*|_java.*|jdk_.*|classpath|gem_.*|bundle_.*|lua_.*|ld_.*|dyld_.*|git_.*|ssh_.*|gpg_.*|gnupghome|bash_.*|bash_env|zdotdir|zsh.*|tar_.*|gzip|bzip2?|xz_.*|zip.*|unzip.*|rsync_.*|curl_.*|docker_.*|kube.*|helm_.*|tf_.*|terraform.*|pip_.*|uv_.*|virtual_env|conda.*|cargo_.*|rust.*|go[a-z]*|cgo_.*|cc|cxx|ld|ar|make.*|cmake_.*|ansible_.*|vault_.*|aws_(config.*|shared.*|ca_.*|endpoint.*|container.*|web.*)|gcloud.*|cloudsdk_(python|config|auth).*|azure_(config|extension).*|az_.*|brew.*|homebrew_.*|fzf_.*|ripgrep_.*|rg_.*|grep_.*|jq_.*|bat_.*|man.*|xdg_.*|systemd_.*|pg.*|mysql.*|sqlite.*|duckdb.*|dbus_.*|display|wayland_.*|openssl_.*|ssl.*|http_proxy|https_proxy|all_proxy|no_proxy|ftp_proxy|.*(_|^)(pager|editor|askpass|opts|options|flags|command|preload|hook|wrapper|exec|startup|init|rc|config|conf|plugin|plugins|modules?|libs?|library)(_.*)?)$/i

/** True if no program changes its behaviour with a variable's value. */
export const isPlainVariable = (name: string): boolean => /^\w+$/.test(name) && !telling.test(name)

/** Switches and output settings, each with a pattern of its harmless values. */
const settings: readonly (readonly [names: RegExp, values: RegExp])[] = [
  [/(^|_|^man)pager$/i, /^(cat)?$/],
  [
    /^(git_(optional_locks|terminal_prompt|trace\w*|advice|flush|no_lazy_fetch|discovery_across_filesystem)|homebrew_no_\w+|rust_backtrace|cargo_(incremental|net_offline)|cgo_enabled|python(dontwritebytecode|unbuffered|utf8|faulthandler|nousersite|safepath)|node_(no_warnings|disable_colors)|tf_(in_automation|input)|docker_(buildkit|cli_hints)|pip_(no_input|disable_pip_version_check|no_color)|uv_(offline|no_progress|no_cache|frozen|no_sync)|helm_debug|ansible_(nocolor|force_color))$/i,
    /^([012]|true|false|yes|no|on|off)?$/i,
  ],
  [
    /^(rust_log|cargo_term_\w+|goos|goarch|goarm|goamd64|go111module|rust_min_stack|node_env|php_env|ruby_env|tf_(log|workspace|var_\w+)|manwidth|pythonioencoding|pythonhashseed|pg(user|host|port|database|password|connect_timeout|tz|sslmode|appname)|mysql_pwd)$/i,
    /^[\w.,:=@%+*-]*$/,
  ],
  [/^goproxy$/i, /^off$/],
  [/^goflags$/i, /^-mod=(mod|vendor|readonly)$/],
  [/^less$/i, /^-?[FRSXMiJKWEnNq]*$/],
]

const hasPlainValue = (name: string, { value, unresolved, several }: ShellWord): boolean =>
  unresolved !== true && several !== true && settings.some(([names, values]) => names.test(name) && values.test(value))

/** True if this value of a variable starts no unknown program: `GIT_PAGER=cat`. */
export const isPlainAssignment = ({ name, value }: ShellAssignment): boolean =>
  isPlainVariable(name) || (/^\w+$/.test(name) && hasPlainValue(name, value))

/** `export a=b`, `local a`, `declare -f`: what a builtin makes of a variable. Without a name it would print all of them. */
export function declaresPlainly(args: readonly ShellWord[]): boolean {
  const names = args.filter(({ value }) => !/^-./.test(value))
  const options = args.filter(({ value }) => /^-./.test(value))
  // `-i` computes, and what is computed may be a command; `-n` is another name for a variable.
  if (!options.every(({ value }) => /^-[aAfFglrtux]+$/.test(value))) return false
  if (options.some(({ value }) => /[fF]/.test(value))) return names.every(({ value }) => /^[\w-]+$/.test(value))
  return (
    names.length > 0 &&
    names.every((word) => {
      const [, name = '', text] = /^(\w+)(?:\+?=([^]*))?$/.exec(word.value) ?? []
      if (name === '' || word.several === true || text?.startsWith('(') === true) return false
      return isPlainAssignment({ name, value: { ...word, value: text ?? '' } })
    })
  )
}
