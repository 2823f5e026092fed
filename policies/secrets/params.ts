/** Params of the policies on reading secret files. */
export const readParams = {
  allowedFiles: {
    type: 'strings',
    default: [],
    description: 'files that may be read, by the end of their path or a folder in it; `*` matches any part of a name',
  },
} as const

/** Param of the policies on sending files. */
export const trustedHosts = {
  type: 'strings',
  default: [],
  description: 'hosts that anything may be sent to; `*.example.com` matches every host below it',
} as const
