/** A setting, or a variable of the environment, and its values with which a check is off. */
type Unchecked = readonly [name: RegExp, value: RegExp]

/** Settings, and what they are when nothing is checked any more. */
const settings: readonly Unchecked[] = [
  [/strict-?ssl$/i, /^(?:false|0|no|off)$/i],
  [/(?:^|\.)trusted-host$/i, /./],
  [/^(?:http\.)?ssl-?verify$|^ssl_verify$|^http\.schannelcheckrevoke$/i, /^(?:false|0|no|off)$/i],
  [/^secure-http$|^disable-tls$/i, /^(?:false|true)$/i],
  [/^gosumdb$/i, /^off$/i],
  [/^(?:gonosumdb|gonosumcheck|goinsecure|gonoverify)$/i, /./],
  [/^certificates\..*|^verify_ssl$/i, /^(?:false|0)$/i],
  [/^ignore-scripts$/i, /^(?:false|0)$/i],
  [/^checksumbehavior$/i, /^(?:ignore|update)$/i],
  [/^unsafe-?perm$/i, /^true$/i],
  [/^gpgcheck$/i, /^0$/],
]

const variables: readonly Unchecked[] = [
  [/^node_tls_reject_unauthorized$/i, /^0$/],
  [/^npm_config_strict_ssl$|^yarn_(?:enable_)?strict_ssl$/i, /^(?:false|0)$/i],
  [/^pip_trusted_host$|^uv_insecure_host$/i, /./],
  [/^pythonhttpsverify$/i, /^0$/],
  [/^gosumdb$/i, /^off$/i],
  [/^(?:gonosumdb|gonosumcheck|goinsecure)$/i, /./],
  [/^goflags$/i, /-insecure/],
  [/^git_ssl_no_verify$/i, /^(?:1|true|yes|on)$/i],
  [/^bundle_ssl_verify_mode$/i, /^0$/],
  [/^yarn_checksum_behavior$/i, /^(?:ignore|update)$/i],
  [/^homebrew_no_verify_attestations$|^homebrew_no_require_checksum.*/i, /./],
  [/^cargo_http_check_revoke$|^cargo_http_ssl_verify$/i, /^(?:false|0)$/i],
]

/**
 * True if a setting of a package manager, of git or of TLS, or a variable of the environment, has a value with which
 * nobody checks who answers or what comes: `strict-ssl=false`, `NODE_TLS_REJECT_UNAUTHORIZED=0`.
 */
export const isUnchecked = (as: 'setting' | 'variable', name: string, value: string): boolean =>
  (as === 'setting' ? settings : variables).some(([known, off]) => known.test(name) && off.test(value))
