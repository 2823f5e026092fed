import { challengeBytes, keyBytes } from '../../../files/proof.ts'

/** C source that checks the proof of a gate (`files/proof.ts`), with SHA-256 as in FIPS 180-4. */
export const proof = String.raw`static const uint32_t sha_constants[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
};

struct sha { uint32_t state[8]; unsigned char block[64]; uint64_t length; };

static const struct sha sha_start = {
  { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 }, { 0 }, 0
};

#define ROTATED(x, by) ((x) >> (by) | (x) << (32 - (by)))

static void sha_block(uint32_t state[8], const unsigned char *at) {
  uint32_t w[64], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6], h = state[7];
  int i;
  for (i = 0; i < 16; i++, at += 4) w[i] = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
  for (; i < 64; i++) {
    uint32_t x = w[i - 15], y = w[i - 2];
    w[i] = w[i - 16] + (ROTATED(x, 7) ^ ROTATED(x, 18) ^ x >> 3) + w[i - 7] + (ROTATED(y, 17) ^ ROTATED(y, 19) ^ y >> 10);
  }
  for (i = 0; i < 64; i++) {
    uint32_t one = h + (ROTATED(e, 6) ^ ROTATED(e, 11) ^ ROTATED(e, 25)) + ((e & f) ^ (~e & g)) + sha_constants[i] + w[i];
    uint32_t two = (ROTATED(a, 2) ^ ROTATED(a, 13) ^ ROTATED(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + one, d = c, c = b, b = a, a = one + two;
  }
  state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

static void sha_add(struct sha *sha, const void *bytes, size_t length) {
  const char *at = bytes;
  while (length > 0) {
    size_t used = sha->length % 64, part = 64 - used < length ? 64 - used : length;
    memcpy(sha->block + used, at, part);
    sha->length += part, at += part, length -= part;
    if (sha->length % 64 == 0) sha_block(sha->state, sha->block);
  }
}

static void sha_end(struct sha *sha, unsigned char digest[32]) {
  static const unsigned char padding[64] = { 0x80 };
  unsigned char length[8];
  uint64_t bits = sha->length * 8;
  int i;
  for (i = 0; i < 8; i++) length[i] = (unsigned char)(bits >> (56 - i * 8));
  sha_add(sha, padding, 64 - (sha->length + 8) % 64);
  sha_add(sha, length, sizeof length);
  for (i = 0; i < 32; i++) digest[i] = (unsigned char)(sha->state[i / 4] >> (24 - i % 4 * 8));
}

static void hex_of(const unsigned char *bytes, int count, char *to) {
  static const char digits[] = "0123456789abcdef";
  int i;
  for (i = 0; i < count; i++) to[i * 2] = digits[bytes[i] >> 4], to[i * 2 + 1] = digits[bytes[i] & 15];
  to[count * 2] = 0;
}

/* Starts an HMAC: with 0x36 the inner digest, with 0x5c the outer one. The key is as long as a block of SHA-256. */
static struct sha keyed(const char key[64], unsigned char pad) {
  struct sha sha = sha_start;
  unsigned char block[64];
  int i;
  for (i = 0; i < 64; i++) block[i] = (unsigned char)key[i] ^ pad;
  sha_add(&sha, block, sizeof block);
  return sha;
}

static int read_random(char challenge[${challengeBytes * 2 + 1}]) {
  unsigned char bytes[${challengeBytes}];
  int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  ssize_t got = fd < 0 ? -1 : read(fd, bytes, sizeof bytes);
  if (fd >= 0) close(fd);
  hex_of(bytes, ${challengeBytes}, challenge);
  return got == sizeof bytes;
}

static int read_key(char key[64]) {
  struct stat is;
  char path[4096], rest;
  int length = snprintf(path, sizeof path, "%s/gate.key", state_folder), fd, fits;
  if (length < 0 || (size_t)length >= sizeof path) return 0;
  if ((fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)) < 0) return 0;
  fits = fstat(fd, &is) == 0 && S_ISREG(is.st_mode) && is.st_uid == geteuid() && (is.st_mode & 077) == 0 &&
         read(fd, key, 64) == ${keyBytes * 2} && read(fd, &rest, 1) == 0;
  close(fd);
  return fits;
}

/* Returns 1 if only the gate whose key this is can have sent the answer, to this very request. */
static int is_proved(const struct answer *answer, const char key[64], struct sha request) {
  unsigned char digest[32];
  char text[256], hex[65];
  struct sha sha = keyed(key, 0x36);
  int length;
  sha_end(&request, digest);
  hex_of(digest, 32, hex);
  length = snprintf(text, sizeof text, "%s\n%d %lu %lu\n", hex, answer->code, (unsigned long)answer->out_length, (unsigned long)answer->err_length);
  if (length < 0 || (size_t)length >= sizeof text || answer->proof == NULL) return 0;
  sha_add(&sha, text, (size_t)length);
  sha_add(&sha, answer->out, answer->out_length);
  sha_add(&sha, answer->err, answer->err_length);
  sha_end(&sha, digest);
  sha = keyed(key, 0x5c);
  sha_add(&sha, digest, sizeof digest);
  sha_end(&sha, digest);
  hex_of(digest, 32, hex);
  return strncmp(answer->proof, hex, 64) == 0;
}
`
