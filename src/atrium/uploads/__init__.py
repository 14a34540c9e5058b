"""What is on its way: uploads that stream in, at one go or in several."""
