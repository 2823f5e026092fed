import { limits } from '../../model/limits.ts'

/** How much is let in at once, over all listeners. */
export interface Admission {
  /** For one request, which must `end` it. */
  open(): Pass
  /** Requests that are being answered. */
  readonly underWay: number
  readonly bytesHeld: number
  readonly requestsMax: number
}

/** What one request takes up. */
export interface Pass {
  /** More of its body is kept. @returns whether there is room */
  hold(bytes: number): boolean
  /** Its body is whole, and it is answered now. @returns whether there is room */
  begin(): boolean
  /** Gives everything back; may be called again. */
  end(): void
}

export interface AdmissionLimits {
  readonly requestsMax: number
  readonly bytesHeldMax: number
}

export function openAdmission({
  requestsMax = limits.httpRequestsMax,
  bytesHeldMax = limits.httpBytesHeldMax,
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
      let begun = false
      return {
        hold(bytes) {
          if (bytesHeld + bytes > bytesHeldMax) return false
          bytesHeld += bytes
          mine += bytes
          return true
        },
        // Only now: whoever is slow to send an event keeps nobody else from having theirs decided.
        begin() {
          if (underWay >= requestsMax) return false
          underWay += 1
          begun = true
          return true
        },
        end() {
          bytesHeld -= mine
          if (begun) underWay -= 1
          mine = 0
          begun = false
        },
      }
    },
  }
}
