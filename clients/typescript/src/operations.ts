/** The types of requests and responses by method and path, taken from the OpenAPI document. */

import type { paths } from "./schema.js";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

type OperationOf<M extends Method, P extends keyof paths> =
  paths[P] extends Record<Lowercase<M>, infer O> ? O : never;

type Success = 200 | 201 | 202 | 204;
type SuccessOf<O> = O extends { responses: infer R } ? R[keyof R & Success] : never;
type JsonOf<R> = R extends { content: { "application/json": infer J } } ? J : undefined;

/** A query parameter or path parameter, as text in the URL. */
export type Parameter = string | number | boolean | null | undefined;

type PathOf<O> = O extends { parameters: { path: infer P } } ? { path: P } : { path?: undefined };
type QueryOf<O> = O extends { parameters: { query?: infer Q } } ? { query?: Q } : { query?: undefined };
type BodyOf<O> = O extends { requestBody: JsonBody<infer B> }
  ? { body: B }
  : O extends { requestBody?: infer R }
    ? OptionalBody<NonNullable<R>>
    : { body?: undefined };
type OptionalBody<R> = [R] extends [never]
  ? { body?: undefined }
  : R extends JsonBody<infer B>
    ? { body?: B }
    : { body?: undefined };
type JsonBody<B> = { content: { "application/json": B } };

/** Whether an operation takes an `Idempotency-Key`. */
type IsRepeatable<O> = O extends { parameters: { header?: infer H } } ? HasKey<NonNullable<H>> : false;
type HasKey<H> = [H] extends [never] ? false : "Idempotency-Key" extends keyof H ? true : false;
type KeyOf<O> = IsRepeatable<O> extends true ? { idempotencyKey?: string } : { idempotencyKey?: undefined };

/** Whether an operation speaks JSON only: files, their uploads and event streams do not. */
type IsJson<O> = O extends { requestBody: { content: infer C } }
  ? "application/json" extends keyof C
    ? IsJsonResponse<SuccessOf<O>>
    : false
  : IsJsonResponse<SuccessOf<O>>;
type IsJsonResponse<R> = [R] extends [{ content: infer C }]
  ? "application/json" extends keyof C
    ? true
    : false
  : true;

/** The paths that have an operation with this method. */
export type PathsWith<M extends Method> = {
  [P in keyof paths]: [OperationOf<M, P>] extends [never]
    ? never
    : IsJson<OperationOf<M, P>> extends true
      ? P
      : never;
}[keyof paths];

/** The paths of POST requests that take an `Idempotency-Key`: what they create is created once. */
export type CreatingPaths = {
  [P in PathsWith<"POST">]: IsRepeatable<OperationOf<"POST", P>> extends true ? P : never;
}[PathsWith<"POST">];

/** The paths of lists that are read page by page. */
export type ListPaths = {
  [P in PathsWith<"GET">]: ResponseTo<"GET", P> extends { next_cursor: string | null } ? P : never;
}[PathsWith<"GET">];

/** What a list's pages contain, by the name of the member. */
export type MembersOf<P extends ListPaths> = {
  [
    N in keyof ResponseTo<"GET", P> & string as ResponseTo<"GET", P>[N] extends unknown[] ? N : never
  ]: ResponseTo<"GET", P>[N] extends (infer T)[] ? T : never;
};

/**
 * What a request is sent with. Repeating it with the same `idempotencyKey` creates nothing twice; operations that do not
 * take one would be carried out again, so they have none here.
 */
export type RequestOptions<M extends Method, P extends keyof paths> = PathOf<OperationOf<M, P>> &
  QueryOf<OperationOf<M, P>> &
  BodyOf<OperationOf<M, P>> &
  KeyOf<OperationOf<M, P>> & { signal?: AbortSignal };

/** The last argument of a request, which may be left out if nothing in it is required. */
export type OptionsArgument<M extends Method, P extends keyof paths> =
  object extends RequestOptions<M, P> ? [options?: RequestOptions<M, P>] : [options: RequestOptions<M, P>];

/** The decoded body of a successful response; undefined if it has none. */
export type ResponseTo<M extends Method, P extends keyof paths> = JsonOf<SuccessOf<OperationOf<M, P>>>;
