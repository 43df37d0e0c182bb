import { collectGarbage } from '../../lib/collect-garbage'
import { attempt, type S3Answer, type S3Request, wordIn } from './s3-attempt'
import { notS3, refused, S3Refused } from './s3-refused'
import type { S3Settings, S3World } from './s3-settings'
import { parseAnswer, type S3Document } from './xml'

/** Both methods throw `S3Refused`, after retrying where that may help. */
export interface S3Client {
  readonly settings: S3Settings
  readonly world: S3World
  send(request: S3Request): Promise<S3Answer>
  /** For an answer in XML whose root element has this name. */
  ask(request: S3Request, root: string): Promise<S3Document>
}

export function createS3Client(settings: S3Settings, world: S3World): S3Client {
  let since = 0
  const send = async (request: S3Request) => {
    const answer = await attempt(settings, world, request)
    since += (request.body?.length ?? 0) + answer.bytes.length
    if (since >= collectedAfter) {
      since = 0
      collectGarbage()
    }
    return answer
  }
  return {
    settings,
    world,
    send: (request) => persist(world, () => send(request)),
    ask: (request, root) =>
      persist(world, async () => rootOf(settings, await parseAnswer((await send(request)).bytes), root)),
  }
}

/** Bytes of parts, of which the copies that were sent or read would stay in memory until much else has gathered. */
const collectedAfter = 32 * 1024 * 1024

/** Completing a multipart upload answers 200 before the outcome is known. */
function rootOf(settings: S3Settings, xml: S3Document | undefined, root: string): S3Document {
  if (xml?.name === root) return xml
  if (xml?.name === 'Error')
    throw refused(settings, { status: 200, code: wordIn(xml.texts.Code ?? ''), region: '' })
  throw notS3(settings, `its answer has no ${root}`)
}

async function persist<T>(world: S3World, once: () => Promise<T>): Promise<T> {
  for (const pause of pauses) {
    try {
      return await once()
    } catch (cause) {
      if (!(cause instanceof S3Refused) || !cause.mayPass) throw cause
    }
    // Half of the pause is random, so that instances do not all retry at once.
    await world.wait(pause * (0.5 + Math.random() / 2))
  }
  return await once()
}

/** In milliseconds, about 25 s in all. */
const pauses = [500, 1000, 2000, 4000, 8000, 16_000]
