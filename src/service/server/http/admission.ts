import { limits } from '../../../model/limits.ts'

/** Limits the concurrent requests and the memory for their bodies, over all listeners. */
export interface Admission {
  /** Opens a pass for one request, which must `end` it. */
  open(): Pass
  /** The number of requests that are being answered. */
  readonly underWay: number
  readonly bytesHeld: number
  readonly requestsMax: number
}

/** The resources that one request takes up. */
export interface Pass {
  /** Reserves memory for another chunk of the body. @returns whether there is room */
  hold(bytes: number): boolean
  /** Counts the request as being answered, once its body is complete. @returns whether there is room */
  begin(): boolean
  /** Releases everything; may be called more than once. */
  end(): void
}

export interface AdmissionLimits {
  readonly requestsMax: number
  readonly bytesHeldMax: number
}

export function openAdmission({
  requestsMax = limits.httpRequestsMax,
  bytesHeldMax = httpBytesHeldMax,
}: Partial<AdmissionLimits> = {}): Admission {
  let underWay = 0
  let bytesHeld = 0
  return {
    get underWay() {
      return underWay
    },
    get bytesHeld() {
      return bytesHeld
    },
    requestsMax,
    open() {
      let mine = 0
      let isCounted = false
      return {
        hold(bytes) {
          if (bytesHeld + bytes > bytesHeldMax) return false
          bytesHeld += bytes
          mine += bytes
          return true
        },
        // Counted only from here on: a client that is slow to send its body must not block the events of others.
        begin() {
          if (underWay >= requestsMax) return false
          underWay += 1
          isCounted = true
          return true
        },
        end() {
          bytesHeld -= mine
          if (isCounted) underWay -= 1
          mine = 0
          isCounted = false
        },
      }
    },
  }
}
/** The bodies of all requests in progress: sixteen events of the maximum size. */
const httpBytesHeldMax = 256 * 1024 * 1024
