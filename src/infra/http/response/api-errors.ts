import { type CustomDecorator, SetMetadata } from '@nestjs/common';
import { type ErrorCase } from '#kernel/errors/catalogue';

export const ERRORS_KEY = 'agate:errors';

/**
 * Names the errors that a route can answer beyond those that follow from its other declarations (access, limit, input):
 * they become the error responses of the OpenAPI document.
 */
export const Errors = (...cases: readonly ErrorCase[]): CustomDecorator => SetMetadata(ERRORS_KEY, cases);
