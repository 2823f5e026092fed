import { HookgateError, type ErrorCode } from '../model/errors.ts'

/** Creates an error about a bundle, its keys or its repository. */
export function bundleError(code: ErrorCode, message: string, remedy: string, file?: string): HookgateError {
  return new HookgateError(code, message, { remedy, ...(file !== undefined && { place: { file } }) })
}
