import { afterAll, describe, expect, test } from 'bun:test'
import { createInstance, idsOf, query } from '../support/instance'
import { seedLibrary } from '../support/seed-library'

const kiroku = await createInstance({ seed: seedLibrary })
const { get, json } = kiroku
afterAll(kiroku.close)

const asked = async (target: string) => {
  const body = await json(target)
  expect([target, body.total_count]).toEqual([target, idsOf(body).length])
  return idsOf(body)
}

describe('GET /v1/records', () => {
  // Records 1, 3 and 4 have a comment; 1 has a like.
  test.each<[Record<string, string>, number[]]>([
    [{}, [1, 2, 3, 4, 5, 6]],
    [{ sort_id: 'desc' }, [6, 5, 4, 3, 2, 1]],
    [{ filter_has_record_comment: 'true' }, [1, 3, 4]],
    [{ filter_has_record_comment: 'false' }, [2, 5, 6]],
    [{ filter_has_record_comment: 'true', sort_id: 'desc' }, [4, 3, 1]],
    [{ filter_episode_id: '1' }, [1, 2]],
    [{ filter_episode_id: '99' }, []],
    [{ filter_episode_id: '1', filter_has_record_comment: 'false' }, [2]],
    [{ filter_ids: '1,2,3', filter_has_record_comment: 'true' }, [1, 3]],
    [{ sort_likes_count: 'desc' }, [1, 2, 3, 4, 5, 6]],
    [{ sort_likes_count: 'asc' }, [2, 3, 4, 5, 6, 1]],
    [{ sort_likes_count: 'asc', sort_id: 'desc' }, [6, 5, 4, 3, 2, 1]],
    [{ sort_likes_count: 'asc', filter_episode_id: '1' }, [2, 1]],
    [{ sort_likes_count: 'asc', filter_has_record_comment: 'true' }, [3, 4, 1]],
    [{ filter_work_id: '1' }, [1, 2, 3, 6]],
    [{ filter_work_id: '9' }, [4]],
    [{ filter_username: 'RITSU_T' }, [2, 3, 4, 5]],
    [{ filter_username: 'nobody' }, []],
    [{ filter_username: 'Ritsu_T', filter_work_id: '1', sort_id: 'desc' }, [3, 2]],
    [{ filter_username: 'Ritsu_T', sort_likes_count: 'desc' }, [2, 3, 4, 5]],
  ])('%j (D14, D18)', async (params, ids) => {
    expect(await asked(`/v1/records${query(params)}`)).toEqual(ids)
  })
})

describe('GET /v1/reviews', () => {
  // Review 3 has no body; 1 has a like.
  test.each<[Record<string, string>, number[]]>([
    [{}, [1, 2, 3]],
    [{ sort_id: 'desc' }, [3, 2, 1]],
    [{ filter_has_review_body: 'true' }, [1, 2]],
    [{ filter_has_review_body: 'false' }, [3]],
    [{ filter_work_id: '2' }, [3]],
    [{ filter_work_id: '99' }, []],
    [{ filter_work_id: '1', filter_has_review_body: 'false' }, []],
    [{ filter_work_id: '1', sort_likes_count: 'asc', filter_ids: '1,2' }, [2, 1]],
    [{ filter_ids: '3,1' }, [1, 3]],
    [{ sort_likes_count: 'asc' }, [2, 3, 1]],
    [{ sort_likes_count: 'desc' }, [1, 2, 3]],
    [{ sort_likes_count: 'desc', sort_id: 'desc' }, [3, 2, 1]],
    [{ sort_likes_count: 'asc', filter_has_review_body: 'true' }, [2, 1]],
    [{ filter_username: 'ritsu_t' }, [2, 3]],
  ])('%j (D14, D18)', async (params, ids) => {
    expect(await asked(`/v1/reviews${query(params)}`)).toEqual(ids)
  })
})

test('a flag is true or false and nothing else (D9)', async () => {
  for (const filter of ['/v1/records?filter_has_record_comment', '/v1/reviews?filter_has_review_body']) {
    for (const odd of ['1', 'True', 'yes', 'true,', 'null']) {
      expect((await get(`${filter}=${odd}`)).status).toBe(400)
    }
  }
})
