import { loadProgram } from '#app/start/bundle';

loadProgram().runOperatorCommand();
