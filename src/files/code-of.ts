/** The code of an error of the system's, such as `ENOENT`. */
export const codeOf = (cause: unknown): string | undefined =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined
