function numbers(): Map<number, number> {
  const pairs = other.split(' ').map((pair) => pair.split(':').map(Number))
  const equal = same.split(' ').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, n) => [first + n, first + n])
  })
  return new Map([...equal, ...pairs].map(([chid = 0, id = 0]) => [chid, id]))
}

/** ChIDs that are also Annict's numbers. */
const same =
  '1-10 12-26 28 31-34 39-40 42-45 47-48 52 54-56 58-68 70-72 74 76-77 79-84 86-100 102-105 107 109 ' +
  '111-117 119 121 123-129 131 136-138 141-142 144-155 158-161 163-165 206-209 211-217'

/** `ChID:number` if they differ. */
const other =
  '167:169 168:170 169:171 170:172 171:173 172:174 173:175 174:168 175:176 176:177 178:179 179:180 ' +
  '181:182 187:188 192:193 194:195 196:197 197:167 198:199 199:200 200:201 201:202 202:203 203:204 ' +
  '204:205 219:220 220:221 221:222 222:223 224:229 231:238 232:239 234:241 235:242 236:245 237:246 ' +
  '239:249 240:250 241:251 242:252 243:253 244:254 245:255 247:257 249:259 999:260'

/** Annict's number of a channel by its ChID, for the 184 channels known to both. */
export const annictChannels: ReadonlyMap<number, number> = numbers()
